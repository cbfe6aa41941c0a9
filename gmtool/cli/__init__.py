"""The face at the command line: the line reader, verbs, help, shell, scripts, errors to exit codes."""
