"""Two runs side by side: ``align.py`` finds the same places in both, ``distance.py`` measures how far apart two arrays
are, ``differences.py`` puts that in order and says where the runs part, ``changes.py`` what was changed between them.
``twin.py`` makes a run in training and one in prediction, ``by_mode.py`` tells what each Cell did differently."""
