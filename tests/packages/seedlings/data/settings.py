def read_settings(arguments):
    return dict(argument.split("=") for argument in arguments)
