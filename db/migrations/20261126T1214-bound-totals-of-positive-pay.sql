-- Totals of a positive-pay file are amounts like any other: at most 10^12 minor units.
alter table positive_pay_files alter column issued_minor type minor_amount, alter column voided_minor type minor_amount;
