"""Random courses of commands over every game there is, and what must hold on the way and at the end of each."""
