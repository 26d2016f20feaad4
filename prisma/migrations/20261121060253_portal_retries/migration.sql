-- CreateTable
CREATE TABLE "PortalRetryCount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "onDate" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "PortalRetryCount_pkey" PRIMARY KEY ("environmentId","id")
);

-- AddForeignKey
ALTER TABLE "PortalRetryCount" ADD CONSTRAINT "PortalRetryCount_environmentId_id_fkey" FOREIGN KEY ("environmentId", "id") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
