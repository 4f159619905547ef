"""Problems as prompts, and the judge as the reward."""
