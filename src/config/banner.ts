/** Printed after `npm start`. */
export const banner = (publicUrl: string, seconds: number): string => `
  Atrium is ready (${seconds.toFixed(1)} s)

    API            ${publicUrl}
    API reference  ${publicUrl}/docs
    Health         ${publicUrl}/health/ready

    A token of the demo agent, in another terminal:
      export ATRIUM_URL=${publicUrl}
      TOKEN=$(npx atrium dev-token agent@acme.test)
    Its tickets:
      curl -H "Authorization: Bearer $TOKEN" $ATRIUM_URL/api/service-desk/requests

    Stop with Ctrl-C; everything is kept.
`;
