-- What the last of the earlier migrations, Meters1795520000000, did. Databases of most earlier commits don't have it.

alter table usage rename estimated to estimated_requests;
alter table usage
  alter estimated_requests drop not null, alter estimated_requests drop default,
  alter input_tokens drop not null, alter pages drop not null,
  add cached_input_tokens bigint, add cache_write_tokens bigint, add output_tokens bigint, add reasoning_tokens bigint;

alter table usage_by_hour rename estimated to estimated_requests;
alter table usage_by_hour
  add cached_input_tokens bigint[], add cache_write_tokens bigint[], add output_tokens bigint[],
  add reasoning_tokens bigint[];

alter table usage_by_day rename estimated to estimated_requests;
alter table usage_by_day
  add cached_input_tokens bigint[], add cache_write_tokens bigint[], add output_tokens bigint[],
  add reasoning_tokens bigint[];

alter table usage_by_month rename estimated to estimated_requests;
alter table usage_by_month
  add cached_input_tokens bigint[], add cache_write_tokens bigint[], add output_tokens bigint[],
  add reasoning_tokens bigint[];
