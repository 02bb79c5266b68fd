// cspell:disable
/** SQL that restores the columns before the migration "names of columns". */
export const FORMER_COLUMNS = `
  drop table watch_audits;
  alter table watch_sites drop column unconfirmed;
  alter table watch_sites drop column site_check;
  alter table watch_sites rename column policy to holds;
  alter table watch_sites rename column throttled_at to damped_at;
  alter table watch_sites rename column attempted_response to attempt_of;
  alter table watch_events rename column throttled to damped;
  alter table watch_contents rename column stored_at to kept_at;`;
