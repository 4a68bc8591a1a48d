-- Turns a database with all of the earlier migrations into the first schema. Comments and functions come from the other
-- files.

-- Functions of earlier commits, which no replica of the last one calls.
drop function admit_one_by_one(uuid[], text[], text[], bigint[], admission_ask[]);
drop function admit_requests(admission_ask[]);
drop function settle_usage(json);
drop type admission_ask;

-- Renamed types, and functions whose parameters were renamed.
drop function count_one_by_one(uuid[], text[], bigint[], arrival_ask[]);
drop function reserve_usage(usage_ask[]);
alter type arrival_ask rename to arrival_demand;
alter type usage_ask rename to usage_demand;

-- A key has a secret, and after a rotation a previous secret.
alter table api_keys rename key_hash to secret_hash;
alter table api_keys rename previous_key_hash to previous_secret_hash;
alter table api_keys rename previous_key_hint to previous_secret_hint;
alter table api_keys rename previous_key_expires_at to previous_secret_expires_at;
alter table api_keys rename previous_last_used_at to previous_secret_last_used_at;
alter table api_keys rename constraint "UQ_57384430aa1959f4578046c9b81" to "UQ_fef9aa4a1cf4f8c063ac5d75f2e";
-- PostgreSQL names these constraints since version 18.
do $$
begin
  if exists (select from pg_constraint where conname = 'api_keys_key_hash_not_null') then
    alter table api_keys rename constraint api_keys_key_hash_not_null to api_keys_secret_hash_not_null;
  end if;
end
$$;

-- Meters have the names of their columns, and null stands for none.
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

delete from migrations;
