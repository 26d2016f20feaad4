-- Credit notes are few among the invoices.
CREATE INDEX "Invoice_corrections" ON "Invoice" ("environmentId", "correctsInvoiceId") WHERE ("correctsInvoiceId" IS NOT NULL);
