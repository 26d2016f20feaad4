/** Messages of `validation_error` about the largest numbers of objects, by reason. */
export const countErrorMessages = {
  too_many_views: 'You can save up to {maxViews} views in an organization. Delete a view first.',
  too_many_organizations: 'You can own up to {maxOwned} organizations. Transfer an organization first.',
  too_many_members:
    'An organization can have up to {maxMembers} members, including pending invitations. Remove a member or an invitation first.',
  too_many_pricing_tables:
    'An environment can have up to {most} pricing tables. Delete a pricing table first.',
  too_many_assets: 'An environment can have up to {most} custom units, including `credits`.',
  too_many_schedules: 'An environment can have up to {most} export schedules. Delete a schedule first.',
  too_many_points:
    'The range exceeds the maximum number of points at the interval {interval} (requested: {points}, maximum: {most}). Choose a shorter range or a longer interval.',
} as const;
