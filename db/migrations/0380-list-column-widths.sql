-- How wide a person made columns of a list (frontend.md U9), in px by the column's name; what is not there finds its
-- own width. Beside the other choices of the list.
alter table list_columns add column widths jsonb not null default '{}' check (jsonb_typeof(widths) = 'object');
