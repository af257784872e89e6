import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloudEventHeaders } from '../../src/domain/cloud-events.ts';
import { readCloudEvent } from '../support/cloud-events.ts';

const event = {
  id: '0f1c2d3e-0000-4000-8000-000000000001',
  source: 'https://atrium.example.com',
  type: 'building.point.updated',
  time: '2026-03-02T12:00:00.123Z',
  subject: '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22',
};
const readBack = (sent: typeof event | (Omit<typeof event, 'subject'> & { subject: null })) => {
  const headers = { ...cloudEventHeaders(sent), 'content-type': 'application/json' };
  return readCloudEvent((name) => new Headers(headers).get(name), '{}');
};

describe('the headers of a CloudEvent', () => {
  it('are the attributes of version 1.0, and Content-Type is not among them', () => {
    expect(cloudEventHeaders(event)).toEqual({
      'ce-specversion': '1.0',
      'ce-id': event.id,
      'ce-source': event.source,
      'ce-type': event.type,
      'ce-time': event.time,
      'ce-subject': event.subject,
    });
  });

  it('omit an absent subject', () => {
    expect(readBack({ ...event, subject: null })).toMatchObject({ subject: null });
    expect(cloudEventHeaders({ ...event, subject: null })).not.toHaveProperty('ce-subject');
  });

  it('percent-encode only the characters that the HTTP binding lists', () => {
    const { 'ce-type': type } = cloudEventHeaders({ ...event, type: 'Euro € "a b"%😀~!' });
    expect(type).toBe('Euro%20%E2%82%AC%20%22a%20b%22%25%F0%9F%98%80~!');
  });

  it('round-trip any Unicode text', () => {
    assert(
      property(string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const sent = { ...event, id: text, type: text, subject: text };
        expect(readBack(sent)).toEqual({ ...sent, data: {} });
      }),
    );
  });
});
