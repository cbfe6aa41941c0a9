"""Words: catalogues of whole sentences, and everything that makes text fit for a screen.

``catalogue`` finds and fills sentences, ``check`` looks for what is wrong with them, ``clean`` makes data
printable, ``width`` counts terminal cells, ``fold`` compares names and reads whole numbers.
"""
