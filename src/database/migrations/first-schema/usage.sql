-- Usage of API keys, by hour and then packed, and their failed requests.

create table usage (
  organization_id uuid not null,
  hour timestamptz not null,
  api_key_id uuid not null,
  model text collate "C" not null,
  latency_bucket smallint not null,
  requests bigint not null,
  failures bigint not null,
  limited bigint not null default 0,
  input_tokens bigint,
  cached_input_tokens bigint,
  cache_write_tokens bigint,
  output_tokens bigint,
  reasoning_tokens bigint,
  pages bigint,
  estimated_requests bigint,
  microseconds bigint not null,
  constraint "PK_e70e7e6704a5465676a78f3a8f7" primary key (organization_id, hour, api_key_id, model, latency_bucket),
  constraint "FK_e253d6d4b013b6480f45693471e"
    foreign key (organization_id) references organizations (id) on delete cascade
);
comment on table usage is
  'Usage of one model by one API key in one hour, per bucket of request durations. Past hours move to usage_by_hour';
comment on column usage.hour is 'Start of the hour, by the database''s clock';
comment on column usage.api_key_id is 'No foreign key, because usage outlives the key';
comment on column usage.model is
  'Id in the model catalog; empty for requests that a limit rejected before their model was known';
comment on column usage.latency_bucket is
  'floor(4 * log2(milliseconds)): each bucket is 1.19 times as wide as the previous one';
comment on column usage.failures is 'Requests whose response had a status of 400 or higher, or was incomplete';
comment on column usage.limited is 'Requests rejected by a limit, which count nowhere else';
comment on column usage.input_tokens is
  'Including cached ones. From here to estimated_requests, there is a column per meter of src/common/rules/meters.ts; '
  'null: not used';
comment on column usage.cached_input_tokens is 'Read from the upstream''s cache; part of input_tokens';
comment on column usage.cache_write_tokens is 'Written to the upstream''s cache; part of input_tokens';
comment on column usage.output_tokens is 'Including reasoning';
comment on column usage.reasoning_tokens is 'Part of output_tokens';
comment on column usage.pages is 'Document pages read';
comment on column usage.estimated_requests is
  'Requests whose upstream never reported their usage. They count with the most that they could have used';
comment on column usage.microseconds is 'Total duration of the requests';

create table usage_series (
  id integer not null,
  organization_id uuid not null,
  api_key_id uuid not null,
  model text collate "C" not null,
  constraint usage_series_pkey primary key (id),
  constraint usage_series_by_key unique (organization_id, api_key_id, model),
  constraint "FK_77712dd37c704bef97584ff4ccd"
    foreign key (organization_id) references organizations (id) on delete cascade
);
comment on table usage_series is
  'The use of one model by one API key, or by all keys of the organization. Its short id saves space in packed rows';
comment on column usage_series.id is 'Assigned under the lock of the replica that packs usage, so it needs no sequence';
comment on column usage_series.api_key_id is
  'The nil UUID for all keys. No foreign key, because usage outlives the key';

create table usage_by_hour (
  start timestamptz not null,
  series_id integer not null,
  slots smallint[] not null,
  requests bigint[] not null,
  failures bigint[],
  limited bigint[],
  input_tokens bigint[],
  cached_input_tokens bigint[],
  cache_write_tokens bigint[],
  output_tokens bigint[],
  reasoning_tokens bigint[],
  pages bigint[],
  estimated_requests bigint[],
  latencies bigint[] not null,
  constraint usage_by_hour_pkey primary key (series_id, start),
  constraint "FK_4b792f1475c7dd9ce3826c013ab" foreign key (series_id) references usage_series (id) on delete cascade
);
comment on table usage_by_hour is
  'Packed usage of the hours of a UTC day, kept for 35 days. Arrays take a fifth of the space of a row per hour';
comment on column usage_by_hour.start is 'Start of the UTC day';
comment on column usage_by_hour.slots is
  'Hours with usage, from 0, ascending. The other arrays except latencies have one element for each; null: all are '
  'zero';
comment on column usage_by_hour.latencies is
  'Numbers of requests by slot and latency bucket: slot << 48 | bucket + 128 << 40 | requests';

create table usage_by_day (
  start timestamptz not null,
  series_id integer not null,
  slots smallint[] not null,
  requests bigint[] not null,
  failures bigint[],
  limited bigint[],
  input_tokens bigint[],
  cached_input_tokens bigint[],
  cache_write_tokens bigint[],
  output_tokens bigint[],
  reasoning_tokens bigint[],
  pages bigint[],
  estimated_requests bigint[],
  latencies bigint[] not null,
  constraint usage_by_day_pkey primary key (series_id, start),
  constraint "FK_139d77b869667a286a737b91994" foreign key (series_id) references usage_series (id) on delete cascade
);
comment on table usage_by_day is 'Packed usage of the days of a UTC month, with the columns of usage_by_hour';
comment on column usage_by_day.start is 'Start of the UTC month';
comment on column usage_by_day.slots is 'Days with usage, from 0, ascending';

create table usage_by_month (
  start timestamptz not null,
  series_id integer not null,
  slots smallint[] not null,
  requests bigint[] not null,
  failures bigint[],
  limited bigint[],
  input_tokens bigint[],
  cached_input_tokens bigint[],
  cache_write_tokens bigint[],
  output_tokens bigint[],
  reasoning_tokens bigint[],
  pages bigint[],
  estimated_requests bigint[],
  latencies bigint[] not null,
  constraint usage_by_month_pkey primary key (series_id, start),
  constraint "FK_a3c9c659c00b9a2fd41449c8b57" foreign key (series_id) references usage_series (id) on delete cascade
);
comment on table usage_by_month is 'Packed usage of the months of a UTC year, with the columns of usage_by_hour';
comment on column usage_by_month.start is 'Start of the UTC year';
comment on column usage_by_month.slots is 'Months with usage, from 0, ascending';

create table failed_requests (
  id uuid not null,
  organization_id uuid not null,
  api_key_id uuid not null,
  occurred_at timestamptz not null,
  route text not null,
  model text not null,
  requested_model text,
  status smallint not null,
  code text not null,
  invalid_fields jsonb not null default '[]',
  exceeded_limit jsonb,
  request_id text not null,
  address text,
  constraint failed_requests_pkey primary key (id),
  constraint "FK_d0ff11242f8a59aa2c7c5ff5cee"
    foreign key (organization_id) references organizations (id) on delete cascade
);
create index failed_requests_by_key on failed_requests (api_key_id, occurred_at);
create index failed_requests_by_time on failed_requests (occurred_at);
create index failed_requests_by_organization on failed_requests (organization_id);
comment on table failed_requests is
  'The latest failed requests of each API key, kept for 30 days, and at most 100 for each key';
comment on column failed_requests.api_key_id is 'No foreign key: deleting a key deletes these rows itself';
comment on column failed_requests.route is 'Such as POST /v1/embeddings';
comment on column failed_requests.model is 'Id in the model catalog; empty if the request failed before it was known';
comment on column failed_requests.requested_model is
  'Model that the client named; null if the request failed before it was read';
comment on column failed_requests.status is 'HTTP status code';
comment on column failed_requests.code is 'Error code of the response';
comment on column failed_requests.invalid_fields is 'Names of the fields that the error is about';
comment on column failed_requests.exceeded_limit is
  'The limit that rejected the request: {owner, metric, per, max, needed}; null for other failures';
comment on column failed_requests.address is 'Canonical IP address of the client; null: unknown';

create table failure_counts (
  organization_id uuid not null,
  hour timestamptz not null,
  api_key_id uuid not null,
  model text not null,
  status smallint not null,
  code text not null,
  requests bigint not null,
  constraint failure_counts_pkey primary key (organization_id, hour, api_key_id, model, status, code),
  constraint "FK_9ad9dbcab3478c2b3f0a9a03b9a"
    foreign key (organization_id) references organizations (id) on delete cascade
);
comment on table failure_counts is 'Failed requests of one API key and model in one hour, per status and error code';
comment on column failure_counts.hour is 'Start of the hour, by the database''s clock';
comment on column failure_counts.api_key_id is 'No foreign key, because counts outlive the key';
comment on column failure_counts.model is 'Id in the model catalog; empty if requests failed before it was known';
comment on column failure_counts.status is 'HTTP status code';
