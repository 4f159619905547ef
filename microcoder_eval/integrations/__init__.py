"""The judge as other stacks call one: one module a stack, none imported before it is asked for.

None of these modules imports its stack before it must: what they offer are the functions and
classes that the stacks ask for, over the same warm pool as ``microcoder_eval.judge``.
"""
