"""The tool get_job, for the jobs of this service and of the others. The queue itself is `consort_kit.jobs`."""
