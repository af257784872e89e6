/** A process that holds the embedded server of a directory until it receives a message. */
import { embeddedPostgres } from '../../../src/engine/postgres/embedded/embedded.ts';

try {
  const server = await embeddedPostgres(process.argv[2]!);
  process.send?.({ url: server.url });
  process.once('message', () => {
    server.release().then(
      () => process.disconnect(),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
} catch (error) {
  process.send?.({ error: String(error) });
  process.disconnect();
}
