-- The English that a person reads on screens; without a choice it follows the organization.

alter table users add column language text check (language in ('en-US', 'en-GB'));
comment on column users.language is
  'English of the screens, American or British, where the person chose one; null: that of their organization.';
