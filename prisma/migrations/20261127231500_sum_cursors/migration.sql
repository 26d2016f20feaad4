-- One cursor for each source of sums. The sums themselves don't change.
CREATE TABLE "SumCursor" (
    "environmentId" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "day" TEXT,
    "closedMonth" TEXT,
    "closesAt" TIMESTAMPTZ(3),
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "SumCursor_pkey" PRIMARY KEY ("environmentId","source")
);

INSERT INTO "SumCursor" ("environmentId", "source", "seq", "until", "nextAt")
SELECT "environmentId", 'ledger', "seq", 'epoch'::timestamptz, 'epoch'::timestamptz FROM "LedgerDayCursor";

INSERT INTO "SumCursor" ("environmentId", "source", "seq", "until", "nextAt")
SELECT "environmentId", 'outcomes', "position", 'epoch'::timestamptz, 'epoch'::timestamptz FROM "MetricsCursor";

INSERT INTO "SumCursor" ("environmentId", "source", "seq", "until", "nextAt", "day", "closedMonth", "closesAt")
SELECT "environmentId", 'revenue', "seq", 'epoch'::timestamptz, 'epoch'::timestamptz, "day", "closedMonth", "closesAt" FROM "MetricsCursor";

INSERT INTO "SumCursor" ("environmentId", "source", "seq", "until", "nextAt")
SELECT "environmentId", 'usage', "seq", "until", "nextAt" FROM "UsageDayCursor";

DROP TABLE "LedgerDayCursor";
DROP TABLE "MetricsCursor";
DROP TABLE "UsageDayCursor";
