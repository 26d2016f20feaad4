// Classifies database models: whether they belong to an environment, and whether they belong to the
// catalog.

/**
 * Models that don't belong to an environment. All other models do. A test compares this list with the
 * database tables.
 */
export const globalModels = [
  'Organization',
  'OrganizationClaim',
  'OpenIdempotencyKey',
  'Environment',
  'ApiKeyHash',
  'AiModel',
  'AiModelPrice',
  'EnvironmentLease',
  'ScheduledTask',
  'FxFeedRate',
  'Setting',
  'UseWindow',
  'Person',
  'Session',
  'Credential',
  'SecondFactor',
  'Passkey',
  'Verification',
  'Member',
  'MemberInvitation',
  'DeviceLogin',
  'OAuthCode',
  'OAuthRefreshToken',
  'FormerActor',
  'SavedView',
  'OrganizationLogo',
] as const;

/**
 * Models to copy to every server if rows are distributed over several servers. They're rarely written, and
 * they're read together with the rows of an environment.
 */
export const referenceModels: ReadonlySet<string> = new Set([
  'Organization',
  'Environment',
  'AiModel',
  'AiModelPrice',
]);

/**
 * Models to keep on the coordinator although their rows belong to environments. The hash of an API key is
 * needed to find the environment. A copy on every server would have the disadvantage that a write needs every
 * server: no key could be revoked while one server is unavailable.
 */
export const coordinatorModels: ReadonlySet<string> = new Set(['ApiKeyHash']);

/**
 * Models of the catalog, which is cached between requests. Every change to a row must also change the
 * catalog version.
 */
export const catalogModels: ReadonlySet<string> = new Set([
  'Feature',
  'Plan',
  'PlanPrice',
  'PlanPriceVersion',
  'PlanPriceOverride',
  'PlanFeatureVersion',
  'PlanExchangeRate',
  'Addon',
  'AddonVersion',
  'OwnModelPrice',
]);
