-- Emails about prepaid amounts that expire soon, and about the end of prepaid commitments.
ALTER TYPE "EmailKind" ADD VALUE 'lot_expiring';
ALTER TYPE "EmailKind" ADD VALUE 'commitment_ended';
