import { z } from 'zod';

// Authenticator responses as serialized by browsers: RegistrationResponseJSON and AuthenticationResponseJSON (WebAuthn Level 3). Unknown
// properties, which newer browsers may add, are removed.

/** Base64url string with a maximum length in characters. */
const bytes = (maximum: number) =>
  z
    .string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })
    .regex(/^[A-Za-z0-9_-]+$/, 'must be encoded in base64url')
    .max(maximum, `must have at most ${maximum} characters`);

const credential = {
  id: bytes(1_400),
  rawId: bytes(1_400),
  type: z.literal('public-key'),
  clientExtensionResults: z
    .record(z.string(), z.unknown())
    .optional()
    .transform(() => ({})),
};

/** Response to a passkey registration. The attestation is the largest property, and only its public key is used. */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_096),
    attestationObject: bytes(65_536),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/, 'must be the name of an authenticator transport'))
      .max(10)
      .optional(),
  }),
});

/** Response to a passkey sign-in. */
export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(4_096),
    userHandle: bytes(128)
      .nullish()
      .transform((handle) => handle ?? undefined),
  }),
});
