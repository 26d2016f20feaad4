import { z } from 'zod';
import { isLoopback, readTrustedProxies } from './client-address.ts';
import { defaultTimeouts } from './database-timeouts.ts';

const flag = (fallback: boolean) =>
  z
    .enum(['on', 'off'])
    .default(fallback ? 'on' : 'off')
    .transform((value) => value === 'on');

const integer = (fallback: number, minimum: number, maximum: number) => {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z.coerce
    .number({ error })
    .int({ error })
    .min(minimum, { error })
    .max(maximum, { error })
    .default(fallback);
};

const ratio = (fallback: number) => {
  const error = 'must be a number from 0 to 1';
  return z.coerce.number({ error }).min(0, { error }).max(1, { error }).default(fallback);
};

const secret = z.string().min(32, 'must have at least 32 characters');

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const metricsToken = z
  .string()
  .min(16, 'must have at least 16 characters')
  .regex(/^[!-~]*$/, 'must be printable ASCII without spaces');

const serverUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// URL' });

/** Environment variables with their defaults and limits. The README documents the variables. */
const shape = z.object({
  PORT: integer(4000, 0, 65_535),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: serverUrl.optional(),
  DATABASE_DIRECT_URL: serverUrl.optional(),
  DATABASE_REPLICA_URL: serverUrl.optional(),
  DATABASE_REPLICA_LAG_MS: integer(5_000, 1_000, 3_600_000),
  DATABASE_POOL_SIZE: integer(10, 2, 200),
  DATABASE_STATEMENT_TIMEOUT_MS: integer(defaultTimeouts.statementMs, 100, 3_600_000),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: integer(defaultTimeouts.idleTransactionMs, 100, 3_600_000),
  DATABASE_QUERY_TIMEOUT_MS: integer(defaultTimeouts.silenceMs, 100, 3_600_000),
  DATABASE_WAIT_MS: integer(15_000, 100, 3_600_000),
  DATA_DIR: z.string().min(1).default('.data'),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// URL' }).optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .regex(
      /^ck_sandbox_[A-Za-z0-9_-]{16,}$/,
      'must be ck_sandbox_ followed by at least 16 letters, digits, _, or -',
    )
    .optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  APP_SECRET: secret.optional(),
  APP_SECRET_PREVIOUS: z.string().default('').transform(parts).pipe(z.array(secret)),
  RATE_LIMIT_PER_MINUTE: integer(600, 0, 10_000_000),
  RATE_LIMIT_INGESTION_PER_MINUTE: integer(60_000, 0, 10_000_000),
  PROVISIONING: flag(true),
  PROVISIONING_PER_MINUTE: integer(30, 0, 10_000_000),
  PURCHASES_PER_MINUTE: integer(10, 0, 10_000_000),
  SIGN_INS_PER_MINUTE: integer(10, 0, 10_000_000),
  REQUEST_TIMEOUT_MS: integer(60_000, 500, 3_600_000),
  BODY_LIMIT_BYTES: integer(1_048_576, 1_024, 64 * 1_048_576),
  RESPONSE_LIMIT_BYTES: integer(16_777_216, 1_024, 512 * 1_048_576),
  SANDBOX_ROWS: integer(1_000_000, 0, Number.MAX_SAFE_INTEGER),
  SANDBOX_CLOCK_YEARS: integer(20, 0, 8_000),
  SANDBOX_EXPORTS_PER_DAY: integer(100, 0, 10_000_000),
  LIVE_FIELDS_PER_CALLER: integer(200, 0, 10_000_000),
  LIVE_FIELDS_PER_ENVIRONMENT: integer(1_000, 0, 10_000_000),
  IDEMPOTENCY_LOCK_TIMEOUT_MS: integer(2_000, 10, 60_000),
  USAGE_QUEUE_EVENTS: integer(20_000, 1, 10_000_000),
  CLOCK_RUN_BATCH_SIZE: integer(500, 1, 5_000),
  CLOCK_RUN_MAX_INSTANTS: integer(1_000_000, 1, 100_000_000),
  RUN_ITEM_RETENTION_DAYS: integer(90, 0, 36_500),
  WEBHOOKS_TO_PRIVATE_ADDRESSES: z.enum(['on', 'off']).optional(),
  WEBHOOK_TIMEOUT_MS: integer(10_000, 100, 60_000),
  WEBHOOK_DELIVERY_RETENTION_DAYS: integer(30, 0, 36_500),
  PLATFORM_PROCESSOR_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional(),
  STRIPE_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  CHARGE_TIMEOUT_MS: integer(20_000, 100, 50_000),
  CHARGE_CONCURRENCY: integer(16, 1, 1_000),
  AI_PRICES_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  FX_RATES_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  WORKER_LEASE_MS: integer(15_000, 1_000, 600_000),
  WORKER_POLL_MS: integer(1_000, 10, 60_000),
  HOUSEKEEPING_MS: integer(60_000, 100, 86_400_000),
  SOCKET_IDLE_MS: integer(600_000, 100, 86_400_000),
  SHUTDOWN_DELAY_MS: integer(0, 0, 600_000),
  FEE_BASIS_POINTS: integer(0, 0, 10_000),
  FEE_FIXED_CENTS: integer(0, 0, 100_000),
  FUNDS_AVAILABLE_AFTER_DAYS: integer(7, 0, 365),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// URL' }).optional(),
  MAIL_FROM: z.string().min(3).default('Quittance <billing@localhost>'),
  MAIL_FILES: integer(500, 1, 1_000_000),
  SANDBOX_EMAILS: z.enum(['members', 'all']).default('members'),
  SANDBOX_EMAILS_PER_DAY: integer(200, 0, 10_000_000),
  EMAILS_PER_DAY: integer(100_000, 0, 100_000_000),
  PROVISIONED_EMAILS_PER_DAY: integer(2_000, 0, 100_000_000),
  EMAIL_RETENTION_DAYS: integer(365, 0, 36_500),
  EVENT_RETENTION_DAYS: integer(0, 0, 36_500),
  USAGE_EVENT_RETENTION_DAYS: integer(0, 0, 36_500),
  REQUEST_LOG_DAYS: integer(7, 0, 90),
  REQUEST_LOG_PER_MINUTE: integer(6_000, 0, 10_000_000),
  TRUSTED_PROXIES: z.string().default('').transform(readTrustedProxies),
  METRICS_TOKEN: metricsToken.optional(),
  METRICS_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('quittance'),
  OTEL_TRACES_SAMPLER_ARG: ratio(1),
  CORS_ORIGINS: z.string().default('').transform(parts),
  DASHBOARD: z.enum(['on', 'off', 'watch']).default('on'),
  GRAPHIQL: flag(true),
  TRUSTED_DOCUMENTS: z.enum(['off', 'only']).default('off'),
});

/** Parsed configuration of a process. */
export type Config = Readonly<ReturnType<typeof fromSettings>>;

/** Error for missing, invalid, or contradictory settings. The message is for the operator. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

/**
 * True if sandbox webhooks may call private addresses. Defaults to true if the database is embedded or the port is only reachable from the same
 * machine.
 */
const allowsPrivateWebhooks = ({
  WEBHOOKS_TO_PRIVATE_ADDRESSES: set,
  DATABASE_URL,
  HOST,
}: z.infer<typeof shape>): boolean =>
  set === undefined ? DATABASE_URL === undefined || isLoopback(HOST) : set === 'on';

/** Retention periods of stored data, in days. 0 keeps the data forever. */
const retentionsOf = (settings: z.infer<typeof shape>) => ({
  runItemRetentionDays: settings.RUN_ITEM_RETENTION_DAYS,
  webhookDeliveryRetentionDays: settings.WEBHOOK_DELIVERY_RETENTION_DAYS,
  emailRetentionDays: settings.EMAIL_RETENTION_DAYS,
  eventRetentionDays: settings.EVENT_RETENTION_DAYS,
  usageEventRetentionDays: settings.USAGE_EVENT_RETENTION_DAYS,
  requestLogDays: settings.REQUEST_LOG_DAYS,
  requestLogPerMinute: settings.REQUEST_LOG_PER_MINUTE,
});

/** Limits per response, per caller, and per environment. */
const shares = (settings: z.infer<typeof shape>) => ({
  responseLimitBytes: settings.RESPONSE_LIMIT_BYTES,
  sandboxRows: settings.SANDBOX_ROWS,
  sandboxClockYears: settings.SANDBOX_CLOCK_YEARS,
  sandboxExportsPerDay: settings.SANDBOX_EXPORTS_PER_DAY,
  liveFieldsPerCaller: settings.LIVE_FIELDS_PER_CALLER,
  liveFieldsPerEnvironment: settings.LIVE_FIELDS_PER_ENVIRONMENT,
});

/** Settings and limits for outgoing email. */
const mailSettings = (settings: z.infer<typeof shape>) => ({
  smtpUrl: settings.SMTP_URL,
  mailFrom: settings.MAIL_FROM,
  mailFiles: settings.MAIL_FILES,
  sandboxEmails: settings.SANDBOX_EMAILS,
  sandboxEmailsPerDay: settings.SANDBOX_EMAILS_PER_DAY,
  emailsPerDay: settings.EMAILS_PER_DAY,
  provisionedEmailsPerDay: settings.PROVISIONED_EMAILS_PER_DAY,
});

/** Returns the settings of the database server. */
const databaseSettings = (settings: z.infer<typeof shape>) => ({
  databaseUrl: settings.DATABASE_URL,
  databaseDirectUrl: settings.DATABASE_DIRECT_URL,
  databaseReplicaUrl: settings.DATABASE_REPLICA_URL,
  databaseReplicaLagMs: settings.DATABASE_REPLICA_LAG_MS,
  databasePoolSize: settings.DATABASE_POOL_SIZE,
  databaseTimeouts: {
    statementMs: settings.DATABASE_STATEMENT_TIMEOUT_MS,
    idleTransactionMs: settings.DATABASE_IDLE_TRANSACTION_TIMEOUT_MS,
    silenceMs: settings.DATABASE_QUERY_TIMEOUT_MS,
  },
  databaseWaitMs: settings.DATABASE_WAIT_MS,
});

function fromSettings(settings: z.infer<typeof shape>) {
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST;
  return {
    port: settings.PORT,
    host: settings.HOST,
    ...databaseSettings(settings),
    dataDir: settings.DATA_DIR,
    redisUrl: settings.REDIS_URL,
    bootstrapApiKey: settings.BOOTSTRAP_API_KEY,
    publicUrl: (settings.PUBLIC_URL ?? `http://${host}:${settings.PORT}`).replace(/\/+$/, ''),
    hasPublicUrl: settings.PUBLIC_URL !== undefined,
    role: settings.ROLE,
    appSecret: settings.APP_SECRET,
    appSecretPrevious: settings.APP_SECRET_PREVIOUS,
    rateLimitPerMinute: settings.RATE_LIMIT_PER_MINUTE,
    rateLimitIngestionPerMinute: settings.RATE_LIMIT_INGESTION_PER_MINUTE,
    provisioning: settings.PROVISIONING,
    provisioningPerMinute: settings.PROVISIONING_PER_MINUTE,
    purchasesPerMinute: settings.PURCHASES_PER_MINUTE,
    signInsPerMinute: settings.SIGN_INS_PER_MINUTE,
    requestTimeoutMs: settings.REQUEST_TIMEOUT_MS,
    bodyLimitBytes: settings.BODY_LIMIT_BYTES,
    ...shares(settings),
    idempotencyLockTimeoutMs: settings.IDEMPOTENCY_LOCK_TIMEOUT_MS,
    usageQueueEvents: settings.USAGE_QUEUE_EVENTS,
    clockRunBatchSize: settings.CLOCK_RUN_BATCH_SIZE,
    clockRunMaxInstants: settings.CLOCK_RUN_MAX_INSTANTS,
    webhooksToPrivateAddresses: allowsPrivateWebhooks(settings),
    webhookTimeoutMs: settings.WEBHOOK_TIMEOUT_MS,
    platformProcessorUrl: settings.PLATFORM_PROCESSOR_URL?.replace(/\/+$/, ''),
    stripeUrl: settings.STRIPE_URL,
    chargeTimeoutMs: settings.CHARGE_TIMEOUT_MS,
    chargeConcurrency: settings.CHARGE_CONCURRENCY,
    aiPricesUrl: settings.AI_PRICES_URL,
    fxRatesUrl: settings.FX_RATES_URL,
    workerLeaseMs: settings.WORKER_LEASE_MS,
    workerPollMs: settings.WORKER_POLL_MS,
    housekeepingMs: settings.HOUSEKEEPING_MS,
    socketIdleMs: settings.SOCKET_IDLE_MS,
    shutdownDelayMs: settings.SHUTDOWN_DELAY_MS,
    settlement: {
      feeBasisPoints: BigInt(settings.FEE_BASIS_POINTS),
      feeFixedUsdMinor: BigInt(settings.FEE_FIXED_CENTS),
      availableAfterDays: settings.FUNDS_AVAILABLE_AFTER_DAYS,
    },
    logLevel: settings.LOG_LEVEL,
    ...mailSettings(settings),
    ...retentionsOf(settings),
    trustedProxies: settings.TRUSTED_PROXIES,
    metricsToken: settings.METRICS_TOKEN,
    metricsPort: settings.METRICS_PORT,
    tracing: {
      endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ''),
      serviceName: settings.OTEL_SERVICE_NAME,
      sampleRatio: settings.OTEL_TRACES_SAMPLER_ARG,
    },
    corsOrigins: settings.CORS_ORIGINS,
    dashboard: settings.DASHBOARD,
    graphiql: settings.GRAPHIQL,
    trustedDocumentsOnly: settings.TRUSTED_DOCUMENTS === 'only',
  };
}

/** Minimum retention of usage events in days: the longest usage window is a year, and events can arrive late. */
const shortestUsageDays = 400;

/** Throws if the retention settings would delete rows before other rows that refer to them. */
function checkRetentions(config: Config): void {
  const { eventRetentionDays, usageEventRetentionDays } = config;
  if (eventRetentionDays > 0) {
    const referring = [
      ['EMAIL_RETENTION_DAYS', config.emailRetentionDays],
      ['WEBHOOK_DELIVERY_RETENTION_DAYS', config.webhookDeliveryRetentionDays],
    ] as const;
    for (const [name, days] of referring)
      if (days === 0 || days > eventRetentionDays)
        throw new ConfigurationError(
          `EVENT_RETENTION_DAYS=${eventRetentionDays} is shorter than ${name}=${days}${days === 0 ? ', which is for ever' : ''}: its records are about events.`,
        );
  }
  if (usageEventRetentionDays > 0 && usageEventRetentionDays < shortestUsageDays)
    throw new ConfigurationError(
      `USAGE_EVENT_RETENTION_DAYS=${usageEventRetentionDays} is shorter than ${shortestUsageDays}: usage is billed from the events of windows that may be a year long.`,
    );
}

/**
 * Parses settings. Empty strings are treated as missing. Throws a ConfigurationError that lists all invalid settings. Also throws for invalid
 * combinations, such as a separate role with an embedded database.
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = shape.safeParse(present);
  if (!parsed.success) {
    throw new ConfigurationError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}.`).join(' '),
    );
  }
  const config = fromSettings(parsed.data);
  if (config.role !== 'all' && config.databaseUrl === undefined) {
    throw new ConfigurationError(
      `ROLE=${config.role} needs DATABASE_URL: the embedded database belongs to one process, which then plays every role.`,
    );
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined)
    throw new ConfigurationError('DATABASE_DIRECT_URL needs DATABASE_URL, the address of the pooler.');
  checkRetentions(config);
  return config;
}

/** Parses the process's settings. Other code must not read `process.env`. */
export const readConfig = (): Config => parseConfig(process.env);
