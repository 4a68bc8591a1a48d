import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sums of usage by creator and by tags. The retention task adds usage that exists to them in the background, because that
 * takes minutes. Triggers note every change of a key's creator or tags, and keep reports from reading sums that a replica of
 * the previous release hasn't added to.
 */
export class AddUsageCohorts1795760000000 implements MigrationInterface {
  name = 'AddUsageCohorts1795760000000';

  public async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table usage_cohorts (
        id integer not null,
        organization_id uuid not null,
        creator_id uuid,
        tags text[],
        is_stale boolean not null default false,
        constraint usage_cohorts_pkey primary key (id),
        constraint usage_cohorts_have_one_value check (num_nonnulls(creator_id, tags) = 1),
        constraint usage_cohorts_of_organization
          foreign key (organization_id) references organizations (id) on delete cascade
      );
      create index usage_cohorts_by_organization on usage_cohorts (organization_id);
      comment on table usage_cohorts is
        'API keys with the same creator, or with the same tags. Packed usage has their sums';
      comment on column usage_cohorts.creator_id is 'The nil UUID for keys whose creator is unknown';
      comment on column usage_cohorts.is_stale is
        'Whether its sums may be wrong, because an earlier release has changed packed usage';

      alter table usage_series
        alter organization_id drop not null,
        add cohort_id integer,
        add creator_cohort_id integer,
        add tags_cohort_id integer,
        add constraint usage_series_of_cohort foreign key (cohort_id) references usage_cohorts (id) on delete cascade,
        add constraint usage_series_in_creator_cohort
          foreign key (creator_cohort_id) references usage_cohorts (id) on delete set null,
        add constraint usage_series_in_tags_cohort
          foreign key (tags_cohort_id) references usage_cohorts (id) on delete set null;
      create unique index usage_series_by_cohort on usage_series (cohort_id, model) where cohort_id is not null;
      create index usage_series_by_creator_cohort on usage_series (creator_cohort_id) where creator_cohort_id is not null;
      create index usage_series_by_tags_cohort on usage_series (tags_cohort_id) where tags_cohort_id is not null;
      comment on column usage_series.organization_id is
        'Null for cohorts, which earlier releases take for API keys otherwise';
      comment on column usage_series.cohort_id is 'The cohort whose sum this is';
      comment on column usage_series.creator_cohort_id is 'The cohort by creator whose sums include this key';
      comment on column usage_series.tags_cohort_id is 'The cohort by tags whose sums include this key';

      create index usage_series_without_creator_cohort on usage_series (organization_id) where creator_cohort_id is null;
      create index usage_series_without_tags_cohort on usage_series (organization_id) where tags_cohort_id is null;

      create table usage_cohort_changes (
        id uuid not null,
        organization_id uuid not null,
        api_key_id uuid not null,
        constraint usage_cohort_changes_pkey primary key (id)
      );
      create index usage_cohort_changes_by_organization on usage_cohort_changes (organization_id);
      comment on table usage_cohort_changes is
        'Keys whose creator or tags have changed, until the retention task has moved them to other cohorts';
      comment on column usage_cohort_changes.organization_id is 'No foreign key, which would lock the organization';

      create function note_usage_cohort_change() returns trigger language plpgsql as $$
      begin
        insert into usage_cohort_changes (id, organization_id, api_key_id)
        values (gen_random_uuid(), new.organization_id, new.id);
        return null;
      end
      $$;
      comment on function note_usage_cohort_change is 'Reports count usage for the creator and tags that a key has now';
      create trigger api_keys_change_cohorts
        after update of tags, created_by_id, created_by_service_account_id on api_keys
        for each row when (
          old.tags <> new.tags
          or old.created_by_id is distinct from new.created_by_id
          or old.created_by_service_account_id is distinct from new.created_by_service_account_id
        ) execute function note_usage_cohort_change();

      create function distrust_usage_cohorts() returns trigger language plpgsql as $$
      begin
        if current_setting('keycard.keeps_usage_cohorts', true) is distinct from 'on' then
          update usage_cohorts set is_stale = true where not is_stale;
        end if;
        return null;
      end
      $$;
      comment on function distrust_usage_cohorts is
        'For earlier releases, which change the usage of keys but not of their cohorts';
      create trigger usage_by_month_changes_cohorts after insert or update on usage_by_month
        for each statement execute function distrust_usage_cohorts();
    `);
  }

  public async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop trigger usage_by_month_changes_cohorts on usage_by_month;
      drop function distrust_usage_cohorts;
      drop trigger api_keys_change_cohorts on api_keys;
      drop function note_usage_cohort_change;
      drop table usage_cohort_changes;
      delete from usage_series where cohort_id is not null;
      alter table usage_series
        drop cohort_id, drop creator_cohort_id, drop tags_cohort_id, alter organization_id set not null;
      drop table usage_cohorts;
    `);
  }
}
