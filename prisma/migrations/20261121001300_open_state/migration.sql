-- The engine reads the open invoices and pending attempts of many customers at once; settled ones grow without bound and must not be read.
CREATE INDEX "Invoice_open" ON "Invoice" ("environmentId", "customerId") WHERE status IN ('draft', 'outstanding');
CREATE INDEX "Transaction_pending" ON "Transaction" ("environmentId", "customerId") WHERE status = 'pending';

-- Deadlines set aside, which are few, are looked for before every batch.
CREATE INDEX "Deadline_failed" ON "Deadline" ("environmentId", "notBefore") WHERE state = 'failed';
