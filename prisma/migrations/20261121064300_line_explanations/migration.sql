-- AlterTable
ALTER TABLE "InvoiceLine" ADD COLUMN     "explanation" JSONB;

-- Lines issued before are explained by their amount.
UPDATE "InvoiceLine" SET "explanation" = jsonb_build_object('rule', 'BIL-13', 'formula', 'price', 'inputs', jsonb_build_object('price', "amount"::text));

-- AlterTable
ALTER TABLE "InvoiceLine" ALTER COLUMN "explanation" SET NOT NULL;
