-- CreateTable
CREATE TABLE "PlanGroup" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "isPublic" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PlanGroup_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "PlanGroup_environmentId_createdAt_seq_idx" ON "PlanGroup"("environmentId", "createdAt", "seq");

-- AddForeignKey
ALTER TABLE "Plan" ADD CONSTRAINT "Plan_environmentId_planGroupId_fkey" FOREIGN KEY ("environmentId", "planGroupId") REFERENCES "PlanGroup"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- A rank stands once in its group, retired plans included (CAT-37). Partial, because a full unique index would make its columns part of the
-- key: each new rank would then lock out everything that refers to the plan, such as a subscription being written.
CREATE UNIQUE INDEX "Plan_one_rank_per_group" ON "Plan" ("environmentId", "planGroupId", "sortOrder") WHERE "planGroupId" IS NOT NULL;
