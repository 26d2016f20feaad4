-- Removes the secrets that earlier versions stored among the arguments of approvals. New approvals contain no secrets.
UPDATE "Approval" SET arguments = jsonb_set(arguments, '{input}', (arguments->'input')
  - ARRAY['secretKey', 'webhookSecret', 'signingSecret', 'providerToken', 'clientSecret', 'password', 'secret', 'apiKey',
    'authenticationToken', 'accountNumber', 'routingNumber', 'iban'])
WHERE jsonb_typeof(arguments->'input') = 'object';
