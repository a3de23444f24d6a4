"""The reference, made from the declarations when the site is built.

``entries.py`` collects what is public, ``pages.py`` sorts it into pages, ``docstrings.py`` and ``nodes.py`` write it,
``chinese.py`` says in Chinese what families of ops are, ``site.py`` gives it all to Sphinx.
"""
