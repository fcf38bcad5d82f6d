-- Customers that staff enter or import need nobody's confirmation; who registers is entered as pending.
alter table customers alter column status set default 'active';
