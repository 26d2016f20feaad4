// Which models belong to an environment, and which of these to its catalog.

/** Models without an environment; everything else belongs to one. A structural test compares this list with the tables. */
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
  'Person',
  'Session',
  'Credential',
  'SecondFactor',
  'Passkey',
  'Verification',
  'Member',
  'MemberInvitation',
  'FormerActor',
  'SavedView',
  'OrganizationLogo',
] as const;

/** Models of which every server has a copy where rows are distributed over several: they are read beside rows of an environment, and seldom written. */
export const referenceModels: ReadonlySet<string> = new Set([
  'Organization',
  'Environment',
  'ApiKeyHash',
  'AiModel',
  'AiModelPrice',
]);

/** Models of the catalog, which is kept between requests: anyone who changes one of their rows gives it another version. */
export const catalogModels: ReadonlySet<string> = new Set([
  'Feature',
  'Plan',
  'PlanPrice',
  'PlanPriceVersion',
  'PlanPriceOverride',
  'PlanFeatureVersion',
  'PlanFeatureRate',
  'PlanExchangeRate',
  'Addon',
  'AddonVersion',
]);
