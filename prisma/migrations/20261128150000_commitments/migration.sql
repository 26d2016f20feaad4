-- Prepaid commitments: purchased lots with a term.
ALTER TYPE "LotSource" ADD VALUE 'commitment' AFTER 'topup';
ALTER TABLE "Lot" ADD COLUMN "commitment" JSONB;
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_commitment_parts" CHECK ("commitment" IS NULL OR ("subscriptionId" IS NOT NULL AND "paidMinor" IS NOT NULL AND "expiresAt" IS NOT NULL));
