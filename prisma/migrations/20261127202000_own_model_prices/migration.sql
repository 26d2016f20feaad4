-- Prices of AI models that an environment sets itself. They take precedence over the shared catalog.
CREATE TABLE "OwnModelPrice" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "modelId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "prices" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OwnModelPrice_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "OwnModelPrice_environmentId_modelId_validFrom_idx" ON "OwnModelPrice"("environmentId", "modelId", "validFrom");

CREATE INDEX "OwnModelPrice_environmentId_name_idx" ON "OwnModelPrice"("environmentId", "name");
