-- Time at which Quittance made an approved call for its API key.
ALTER TABLE "Approval" ADD COLUMN "ranAt" TIMESTAMPTZ(3);
