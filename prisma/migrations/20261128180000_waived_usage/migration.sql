-- Price of carried usage that the pool of a new plan doesn't cover.
ALTER TABLE "UsageCounter" ADD COLUMN "waived" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "UsageCounter" ALTER COLUMN "waived" DROP DEFAULT;
