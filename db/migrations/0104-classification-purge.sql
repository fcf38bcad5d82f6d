-- A classification in the trash that nobody has may be deleted for good (customer_classification.forceDelete).
grant delete on customer_classifications to app_rw;
