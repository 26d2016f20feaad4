-- Rows that are written again and again, or removed soon: a fifth of a large table would be late for cleaning.
ALTER TABLE "ConsumptionAccount" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "Deadline" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "EmailNotification" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "EnvironmentCounter" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "EnvironmentLease" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "IdempotencyKey" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "Subscription" SET (autovacuum_vacuum_scale_factor=0.05);
ALTER TABLE "TestClockRunItem" SET (autovacuum_vacuum_scale_factor=0.05);
ALTER TABLE "UsageCounter" SET (autovacuum_vacuum_scale_factor=0.01);
ALTER TABLE "WebhookDelivery" SET (autovacuum_vacuum_scale_factor=0.05);
