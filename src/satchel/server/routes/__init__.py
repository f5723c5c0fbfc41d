"""The routes of the server, a module for each thing that is asked for."""
