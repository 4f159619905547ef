print("moon")
