// The operations of the page at which customers ask for a link to the portal.

export const loginQuery = `query Login($slug: String!, $link: String) { portalLogin(slug: $slug) { locale(link: $link) branding { name } } }`;

export const requestMutation = `mutation Request($input: PortalSessionRequestInput!) { portalSessionRequest(input: $input) }`;
