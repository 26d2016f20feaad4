-- Price of carried usage that a pool didn't cover, for corrections after the usage window ended.
ALTER TABLE "EndedUsage" ADD COLUMN "waived" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "EndedUsage" ALTER COLUMN "waived" DROP DEFAULT;
