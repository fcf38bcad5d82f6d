-- A registration may be known before its number is: the number is empty until somebody enters it, and no document
-- prints a stand-in for it.
alter table tax_registrations alter column number drop not null;
update tax_registrations set number = null where number = 'to be entered';
