"""Deliberate faults in the program, each of which has to be found."""


def prove(root, only, cases, configuration):
    raise NotImplementedError
