"""What a differentiable program is made of: ops, Tensors, recorded Nodes and the reverse sweep.

Read in this order: ``op.py`` (one declaration per op), ``tensor.py`` (a handle to an array and a Node),
``record.py`` (running an op), ``backward.py`` (the sweep), ``events.py`` (what observers are told).

The rest by what it serves: ``define.py``, ``public.py`` and ``card.py`` declare, publish and describe ops;
``modes.py`` holds what is on (recording, silence) and ``nested.py`` walks containers; ``views.py`` reads and writes
by index and ``numpy_calls.py`` answers NumPy; ``gradients.py`` and ``handles.py`` check gradients and keep hooks,
``arity.py`` sees whether these and rules take what they will get;
``dtypes.py``, ``errors.py``, ``absent.py`` and ``printing.py`` are types, messages and text.
"""
