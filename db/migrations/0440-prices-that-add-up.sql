-- Every charge is quantity × unit = net: what does not multiply (a royalty with a minimum or a discount) is one thing
-- at its price. Papers printed '3 × 1,173.00 = 1,173.00' from the stored quantity; their rows come from the trace now.
update license_charges set quantity = 1, unit_minor = net_minor where quantity::bigint * unit_minor <> net_minor;
alter table license_charges add constraint license_charges_multiply
  check (quantity::bigint * unit_minor = net_minor);

-- A deposit that is given back is no part of a total: the total is net and tax. Versions keep what they were frozen
-- with; their totals are read from the snapshot.
update licenses set grand_total_minor = royalty_total_minor + materials_total_minor + tax_total_minor
  where grand_total_minor <> royalty_total_minor + materials_total_minor + tax_total_minor
    and royalty_total_minor + materials_total_minor + tax_total_minor > 0;
