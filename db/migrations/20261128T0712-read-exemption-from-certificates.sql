-- Nobody could set the flag: whether a customer is exempt is read from its certificates.
alter table license_applications drop column tax_exempt;
update license_application_information_requests set fields = array_replace(fields, 'tax_exempt', 'tax_exemption')
where 'tax_exempt' = any (fields);
