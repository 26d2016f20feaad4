import { jsonReply, type Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { mcpPath, resourcePath } from '../mcp/description.ts';
import {
  exchangeCode,
  refreshTokens,
  revokeToken,
  type Tokens,
} from '../modules/organization/app-connections/issue-tokens.ts';
import { clientIn, codeProblem, isResource } from '../modules/organization/app-connections/rules.ts';
import {
  clientIdOf,
  hashClientId,
  readClient,
  signRequest,
} from '../modules/organization/app-connections/sign.ts';
import { addressName, type Bucket, exceededHeaders, type RateLimits } from '../platform/rate-limit.ts';
import type { App } from '../request/context.ts';
import { noticePage } from './notice-page.ts';

// Authorization server for MCP clients (OAuth 2.1 without client secrets, AGT-67): metadata, registration, authorization, tokens, and revocation.

const paths = {
  metadata: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

const noStore = { 'Cache-Control': 'no-store' } as const;

/** Maximum size of a request body, in bytes. */
const bodyLimit = 20_000;

const oauthError = (error: string, description: string, status = 400): Reply =>
  jsonReply(status, { error, error_description: description }, noStore);

const textIn = async (request: HttpRequest): Promise<string> =>
  Buffer.from(await request.bytes(bodyLimit)).toString('utf8');

/** Returns the parameters of a form or a query string. `null` if a parameter is repeated. */
function parametersIn(text: string): URLSearchParams | null {
  const parameters = new URLSearchParams(text);
  const names = [...parameters.keys()];
  return new Set(names).size === names.length ? parameters : null;
}

/** Returns the metadata of the authorization server (RFC 8414). */
const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}${paths.authorize}`,
  token_endpoint: `${issuer}${paths.token}`,
  registration_endpoint: `${issuer}${paths.register}`,
  revocation_endpoint: `${issuer}${paths.revoke}`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs/guides/mcp`,
});

/** Returns the metadata of the MCP server (RFC 9728). */
const resourceOf = (issuer: string) => ({
  resource: `${issuer}${mcpPath}`,
  authorization_servers: [issuer],
  bearer_methods_supported: ['header'],
  resource_name: 'Quittance',
  resource_documentation: `${issuer}/docs/guides/mcp`,
});

async function register(app: App, request: HttpRequest): Promise<Reply> {
  let body: unknown;
  try {
    body = JSON.parse(await textIn(request));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return oauthError('invalid_client_metadata', 'The body must be a JSON object.');
  }
  const client = clientIn(body);
  if ('error' in client) return oauthError(client.error, client.description);
  return jsonReply(
    201,
    {
      client_id: await clientIdOf(app, client),
      client_id_issued_at: Math.floor(app.wall.now().getTime() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    noStore,
  );
}

const refused = (problem: string): Reply =>
  noticePage(400, 'The app can’t be connected', `${problem} Contact the developer of the app.`);

/**
 * Sends a browser to the page on which a member decides. Problems are shown on a page of Quittance: a redirect to an app requires the decision of
 * a member, because anyone can register an app.
 */
async function authorize(app: App, { address }: HttpRequest): Promise<Reply> {
  const { publicUrl } = app.config;
  const [, search = ''] = address.split('?', 2);
  const parameters = parametersIn(search);
  if (parameters === null) return refused('A parameter of the request is repeated.');
  const clientId = parameters.get('client_id') ?? '';
  const client = await readClient(app, clientId);
  if (client === null) return refused('The <code>client_id</code> is unknown.');
  const redirectUri = parameters.get('redirect_uri') ?? '';
  if (!client.redirectUris.includes(redirectUri))
    return refused('The <code>redirect_uri</code> isn’t registered.');
  const problem = codeProblem(parameters, `${publicUrl}${mcpPath}`);
  if (problem !== null) return refused(problem.replaceAll(/`([^`]+)`/g, '<code>$1</code>'));
  const signed = await signRequest(app, {
    clientHash: hashClientId(clientId),
    clientName: client.name,
    redirectUri,
    codeChallenge: parameters.get('code_challenge') ?? '',
    state: parameters.get('state'),
  });
  return {
    status: 302,
    headers: { ...noStore, Location: `${publicUrl}/dashboard/sandbox/connect?request=${signed}` },
    body: null,
  };
}

const tokenReply = (tokens: Tokens | null): Reply =>
  tokens === null
    ? oauthError('invalid_grant', 'The code or token is invalid, has expired, or was already used.')
    : jsonReply(
        200,
        {
          access_token: tokens.accessToken,
          token_type: 'Bearer',
          expires_in: tokens.expiresInSeconds,
          refresh_token: tokens.refreshToken,
        },
        noStore,
      );

async function token(app: App, request: HttpRequest): Promise<Reply> {
  const form = parametersIn(await textIn(request));
  if (form === null) return oauthError('invalid_request', 'A parameter is repeated.');
  const get = (name: string): string => form.get(name) ?? '';
  const clientId = get('client_id');
  if ((await readClient(app, clientId)) === null)
    return oauthError('invalid_client', 'The `client_id` is unknown.', 401);
  const resource = `${app.config.publicUrl}${mcpPath}`;
  if (!isResource(form, resource)) return oauthError('invalid_target', `\`resource\` must be ${resource}.`);
  switch (get('grant_type')) {
    case 'authorization_code':
      return tokenReply(
        await exchangeCode(app, request.id, {
          code: get('code'),
          clientId,
          redirectUri: get('redirect_uri'),
          verifier: get('code_verifier'),
        }),
      );
    case 'refresh_token':
      return tokenReply(
        await refreshTokens(app, request.id, { refreshToken: get('refresh_token'), clientId }),
      );
    default:
      return oauthError(
        'unsupported_grant_type',
        '`grant_type` must be `authorization_code` or `refresh_token`.',
      );
  }
}

async function revoke(app: App, request: HttpRequest): Promise<Reply> {
  const form = parametersIn(await textIn(request));
  const given = form?.get('token') ?? '';
  if (given === '') return oauthError('invalid_request', '`token` is required.');
  await revokeToken(app, request.id, given);
  return { status: 200, headers: noStore, body: '' };
}

/** Returns the routes of the authorization server. Requests are limited by IP address; registrations like sign-ins. */
export function oauthRoutes(app: App, limits: RateLimits): Route[] {
  const { publicUrl } = app.config;
  const counted =
    (bucket: Bucket, answer: (app: App, request: HttpRequest) => Promise<Reply>): Route['answer'] =>
    async (request) => {
      const allowance = await limits.take(addressName(request.remoteAddress), bucket);
      if (!allowance.isExceeded) return answer(app, request);
      const reply = oauthError('temporarily_unavailable', 'Too many requests. Try again later.', 429);
      return { ...reply, headers: { ...reply.headers, ...exceededHeaders(allowance) } };
    };
  const described = (path: string, document: object): Route => ({
    path: `${path}/*`,
    methods: ['GET'],
    isShared: true,
    answer: () => jsonReply(200, document, { 'Cache-Control': 'no-cache' }),
  });
  const posted = (path: string, bucket: Bucket, answer: typeof token): Route => ({
    path,
    methods: ['POST'],
    isShared: true,
    readsBody: true,
    answer: counted(bucket, answer),
  });
  return [
    described(paths.metadata, metadataOf(publicUrl)),
    described(resourcePath, resourceOf(publicUrl)),
    posted(paths.register, 'password', register),
    posted(paths.token, 'general', token),
    posted(paths.revoke, 'general', revoke),
    { path: paths.authorize, methods: ['GET'], answer: counted('general', authorize) },
  ];
}
