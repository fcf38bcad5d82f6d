-- Materials that are downloaded are not PDFs alone: accompaniment tracks and logos have no pages. What a file is stands
-- in files.mime_type; one without pages is a sound or a picture, and no perusal shows it.
alter table material_files drop constraint material_files_pages_check;
alter table material_files add constraint material_files_pages_check check (pages between 0 and 1000);
