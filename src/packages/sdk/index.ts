export { Quittance } from './client.ts';
export type { Entitlement, Entitlements, EntitlementsOptions } from './entitlements.ts';
export {
  ApprovalRequired,
  AuthenticationError,
  BillingError,
  ConflictError,
  ConnectionError,
  InternalError,
  NotFoundError,
  PolicyError,
  QuittanceError,
  RateLimitError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type { EventsOptions, EventType, LiveEvent } from './events.ts';
export { apiVersion } from './generated/operations.ts';
export type * from './generated/types.ts';
export { type CallOptions, type ClientOptions, requestIdOf } from './http.ts';
export type { Page, PageRequest } from './pages.ts';
export type { UsageInput, UsageQueueOptions } from './usage-queue.ts';
export {
  type HandlerOptions,
  type SeenEvents,
  type VerifyOptions,
  type WebhookEvent,
  type WebhookHandlers,
  type WebhookHeaders,
  type WebhookRejection,
  WebhookSignatureError,
  webhooks,
} from './webhooks.ts';
