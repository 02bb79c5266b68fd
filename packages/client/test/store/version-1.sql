CREATE SCHEMA maycrawl;
CREATE TABLE maycrawl.events (
    id bigint NOT NULL,
    key bytea NOT NULL,
    at bigint NOT NULL,
    kind text NOT NULL,
    status integer,
    code text,
    hash text,
    bytes integer NOT NULL
);
ALTER TABLE maycrawl.events ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME maycrawl.events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE maycrawl.leases (
    key bytea NOT NULL,
    owner text NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE maycrawl.origins (
    key bytea NOT NULL,
    origin bytea NOT NULL,
    answer text,
    outage text,
    body bytea
);
CREATE TABLE maycrawl.version (
    version integer NOT NULL
);
INSERT INTO maycrawl.events OVERRIDING SYSTEM VALUE VALUES (1, '\x8212d923fea3afdfad6942f8b9c4b13b772f9c4780827a51f9abd4b6b9487e3a', 1793491200000, 'found', 200, NULL, '38ee13a89fd0de18fe5f1f192cb4179a600acc093eefb277f5a7f77660033e8f', 33);
INSERT INTO maycrawl.events OVERRIDING SYSTEM VALUE VALUES (2, '\xa452e345a84b627355cce5deaa1c7ee38bd09bd7f87582ddda48a6cd80993076', 1793491200000, 'absent', 404, 'http-status', NULL, 0);
INSERT INTO maycrawl.events OVERRIDING SYSTEM VALUE VALUES (3, '\x762a8386da08ca5f7efdbcb16edd3fe08264bd27bf00ee105065c3418f73dc5e', 1793491200000, 'found', 200, NULL, '262748c94506e48493f4185b623252fb59a00e487bca5daa72a6cdbc68d32e95', 29);
INSERT INTO maycrawl.events OVERRIDING SYSTEM VALUE VALUES (4, '\x762a8386da08ca5f7efdbcb16edd3fe08264bd27bf00ee105065c3418f73dc5e', 1793494800001, 'unreachable', 503, 'http-status', NULL, 0);
INSERT INTO maycrawl.events OVERRIDING SYSTEM VALUE VALUES (5, '\x762a8386da08ca5f7efdbcb16edd3fe08264bd27bf00ee105065c3418f73dc5e', 1793498400000, 'unreachable', 503, 'http-status', NULL, 0);
INSERT INTO maycrawl.events OVERRIDING SYSTEM VALUE VALUES (6, '\xb233aec22a6b00d572fcebf491ccb250377ca52022c2714ec567a53b29ecf5f1', 1793491200000, 'unreachable', NULL, 'network', NULL, 0);
INSERT INTO maycrawl.leases VALUES ('\x0e024af30dd6b84ed2efc86071ed98bc4a722450ee6a4d646095af6e4e08182e', 'an owner that is gone', 1793491235000);
INSERT INTO maycrawl.origins VALUES ('\x8212d923fea3afdfad6942f8b9c4b13b772f9c4780827a51f9abd4b6b9487e3a', '\x68747470733a2f2f666f756e642e6578616d706c65', '{"kind":"found","hops":[{"url":"https://found.example/robots.txt","status":200}],"fetchedAt":1793491200000,"freshUntil":1793494800000,"status":200,"code":null,"reason":null,"headers":{"cacheControl":"max-age=3600","expires":null,"date":null,"age":null,"etag":"\"e\"","lastModified":null,"retryAfter":null},"timings":{"total":4}}', NULL, '\x557365722d6167656e743a202a0a446973616c6c6f773a202f707269766174650a');
INSERT INTO maycrawl.origins VALUES ('\xa452e345a84b627355cce5deaa1c7ee38bd09bd7f87582ddda48a6cd80993076', '\x68747470733a2f2f616273656e742e6578616d706c65', '{"fetchedAt":1793491200000,"freshUntil":1793494800000,"status":404,"code":"http-status","reason":"status 404","headers":{"cacheControl":"max-age=3600","expires":null,"date":null,"age":null,"etag":"\"e\"","lastModified":null,"retryAfter":null},"timings":{"total":4},"kind":"absent","hops":[{"url":"https://absent.example/robots.txt","status":404}]}', NULL, NULL);
INSERT INTO maycrawl.origins VALUES ('\x762a8386da08ca5f7efdbcb16edd3fe08264bd27bf00ee105065c3418f73dc5e', '\x68747470733a2f2f6661696c696e672e6578616d706c65', '{"kind":"found","hops":[{"url":"https://failing.example/robots.txt","status":200}],"fetchedAt":1793491200000,"freshUntil":1793494800000,"status":200,"code":null,"reason":null,"headers":{"cacheControl":"max-age=3600","expires":null,"date":null,"age":null,"etag":"\"e\"","lastModified":null,"retryAfter":null},"timings":{"total":4}}', '{"code":"http-status","status":503,"reason":"status 503","retryAt":null,"saysNotFound":false,"hops":[],"timings":{"total":1},"since":1793494800001,"lastAt":1793498400000,"failures":2}', '\x557365722d6167656e743a202a0a446973616c6c6f773a202f6f6c640a');
INSERT INTO maycrawl.origins VALUES ('\xb233aec22a6b00d572fcebf491ccb250377ca52022c2714ec567a53b29ecf5f1', '\x68747470733a2f2f6e657665722e6578616d706c65', NULL, '{"code":"network","status":null,"reason":"ECONNREFUSED","retryAt":null,"saysNotFound":false,"hops":[],"timings":{"total":1},"since":1793491200000,"lastAt":1793491200000,"failures":1}', NULL);
INSERT INTO maycrawl.version VALUES (1);
SELECT pg_catalog.setval('maycrawl.events_id_seq', 6, true);
ALTER TABLE ONLY maycrawl.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY maycrawl.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (key);
ALTER TABLE ONLY maycrawl.origins
    ADD CONSTRAINT origins_pkey PRIMARY KEY (key);
CREATE INDEX events_by_key ON maycrawl.events USING btree (key, id);
