BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE conversation_items (
	workspace_id INTEGER NOT NULL, 
	conversation_id VARCHAR(36) NOT NULL, 
	ordinal INTEGER NOT NULL, 
	digest BLOB NOT NULL, said INTEGER DEFAULT '0' NOT NULL, 
	PRIMARY KEY (workspace_id, conversation_id, ordinal)
);
INSERT INTO "conversation_items" VALUES(1,'b0269dc3-0e2f-46a5-beb3-fb0c740ae10c',0,X'F2891CEB099E91D5C4DAAD6B37D8E164',1);
INSERT INTO "conversation_items" VALUES(1,'b0269dc3-0e2f-46a5-beb3-fb0c740ae10c',1,X'AE98F2EFB74AE0A2BD1CFCC4E4CC251E',1);
INSERT INTO "conversation_items" VALUES(1,'b0269dc3-0e2f-46a5-beb3-fb0c740ae10c',2,X'7D5A929481642652099F690DDED1D8C8',1);
INSERT INTO "conversation_items" VALUES(1,'69fce414-8e53-4824-b352-12337d36cfa1',0,X'1C9045DBA4983E37F9065D4E1C929B0B',2);
INSERT INTO "conversation_items" VALUES(1,'69fce414-8e53-4824-b352-12337d36cfa1',1,X'42BAF41E3E8C2EC028CD615FF0DF9034',2);
INSERT INTO "conversation_items" VALUES(1,'69fce414-8e53-4824-b352-12337d36cfa1',2,X'E94A0098654089F1F4C1B276DA72820A',2);
INSERT INTO "conversation_items" VALUES(2,'dce1669e-a946-4827-a6ba-bbfa99387e9d',0,X'8DBA11555505FDECD6D73CF3546C05CB',1);
INSERT INTO "conversation_items" VALUES(2,'dce1669e-a946-4827-a6ba-bbfa99387e9d',1,X'559546A452786E3C8FF0C6D6073F694F',1);
INSERT INTO "conversation_items" VALUES(2,'dce1669e-a946-4827-a6ba-bbfa99387e9d',2,X'EE169499373FA01CE51855BCAC3B5A1F',1);
CREATE TABLE conversations (
	workspace_id INTEGER NOT NULL, 
	id VARCHAR(36) NOT NULL, 
	items INTEGER NOT NULL, 
	last_episode VARCHAR(36), 
	turn_digest BLOB, 
	turn_flags TEXT NOT NULL, 
	next_flags TEXT NOT NULL, used INTEGER DEFAULT '0' NOT NULL, used_at VARCHAR(24) DEFAULT '2026-11-24T19:54:45.689Z' NOT NULL, 
	PRIMARY KEY (workspace_id, id), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "conversations" VALUES(1,'b0269dc3-0e2f-46a5-beb3-fb0c740ae10c',3,'fde6a25f-6308-4422-8408-622333ae33d9',X'F2891CEB099E91D5C4DAAD6B37D8E1640001','[]','[]',1,'2026-11-24T19:54:49.607Z');
INSERT INTO "conversations" VALUES(1,'69fce414-8e53-4824-b352-12337d36cfa1',3,'78b5a059-41eb-4f4e-82d4-9d50315a3919',X'1C9045DBA4983E37F9065D4E1C929B0B0001','[]','[]',2,'2026-11-24T19:54:49.638Z');
INSERT INTO "conversations" VALUES(2,'dce1669e-a946-4827-a6ba-bbfa99387e9d',3,'25d2e721-0c4b-4248-812b-eab27698d9c9',X'8DBA11555505FDECD6D73CF3546C05CB0001','[]','[]',1,'2026-11-24T19:54:49.654Z');
CREATE TABLE event_paths (
	workspace_id INTEGER NOT NULL, 
	path TEXT NOT NULL, 
	seq INTEGER NOT NULL, 
	PRIMARY KEY (workspace_id, path, seq), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
)
 WITHOUT ROWID

;
INSERT INTO "event_paths" VALUES(1,'geo.py',2);
INSERT INTO "event_paths" VALUES(1,'geo.py',4);
INSERT INTO "event_paths" VALUES(2,'api.py',2);
CREATE TABLE events (
	workspace_id INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	episode_id VARCHAR(36), 
	at VARCHAR(24) NOT NULL, 
	kind VARCHAR(32) NOT NULL, 
	body TEXT NOT NULL, 
	prev_hash VARCHAR(64) NOT NULL, 
	hash VARCHAR(64) NOT NULL, 
	PRIMARY KEY (workspace_id, seq), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "events" VALUES(1,1,NULL,'2026-11-24T19:54:49.607Z','workspace.opened','{"name":"w","tenant":"local"}','0000000000000000000000000000000000000000000000000000000000000000','30a404b9bc95595f21912b7282c289869c255b7b741a7041359acf2cc14c24c7');
INSERT INTO "events" VALUES(1,2,'fde6a25f-6308-4422-8408-622333ae33d9','2026-11-24T19:54:49.608Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1","confidence":"CONFIRMED","entity":"geo.py","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620","confidence":"CONFIRMED","entity":"geo.py::area_of","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2","confidence":"CONFIRMED","entity":"geo.py::edge_of","op":"promote","reason":"structural-parity","source":"AST"}],"origin":"model","path":"geo.py"}','30a404b9bc95595f21912b7282c289869c255b7b741a7041359acf2cc14c24c7','5fa26abac5bd8fe29d89c60c7e0d533e6deb932b1ab01b4fa18a41a21129edd7');
INSERT INTO "events" VALUES(1,3,'fde6a25f-6308-4422-8408-622333ae33d9','2026-11-24T19:54:49.608Z','episode.recorded','{"answer":"eb8e2da6185fb46d3d5d26d809880f7e536b32a41621468a8042317ddc866f94","call_type":"acompletion","complete":true,"conversation":"b0269dc3-0e2f-46a5-beb3-fb0c740ae10c","finish":"stop","hydrated":[],"model":"openai","notices":0,"place":[0,1,3,-1],"prompt":"a54a2ac3e2842be6d5e382e571911ef24f814f394a8b26e8a076f462c9cb04e6","side":false,"started_at":"2026-11-24T19:54:49.497Z"}','5fa26abac5bd8fe29d89c60c7e0d533e6deb932b1ab01b4fa18a41a21129edd7','74403e9b3360d116429e7a67ddea7ebd32437ede688d69a6cf322a2f23398cac');
INSERT INTO "events" VALUES(1,4,'78b5a059-41eb-4f4e-82d4-9d50315a3919','2026-11-24T19:54:49.638Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4","confidence":"CONFIRMED","entity":"geo.py","op":"promote","reason":"structural-parity","replaces":"f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1","source":"AST"},{"artifact":"2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479","confidence":"CONFIRMED","entity":"geo.py::area_of","op":"promote","reason":"structural-parity","replaces":"85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620","source":"AST"},{"artifact":"849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71","confidence":"CONFIRMED","entity":"geo.py::edge_of","op":"promote","reason":"structural-parity","replaces":"9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2","source":"AST"}],"origin":"model","path":"geo.py"}','74403e9b3360d116429e7a67ddea7ebd32437ede688d69a6cf322a2f23398cac','24745ed290b8b9ec9db8a4cc5371a59bbc1b778800d550221fda7a73b2a865b5');
INSERT INTO "events" VALUES(1,5,'78b5a059-41eb-4f4e-82d4-9d50315a3919','2026-11-24T19:54:49.638Z','episode.recorded','{"answer":"35e0303a52bc5f4eec95323b6f0165a61d797d5066c3f60aaa579cedd338a3db","call_type":"acompletion","complete":true,"conversation":"69fce414-8e53-4824-b352-12337d36cfa1","finish":"stop","hydrated":["geo.py"],"model":"openai","notices":0,"place":[0,1,3,-1],"prompt":"751301cb8ea44d57654e5062cf44ee50c25a0fe8b036ae744a201c6a2208d41a","side":false,"started_at":"2026-11-24T19:54:49.611Z"}','24745ed290b8b9ec9db8a4cc5371a59bbc1b778800d550221fda7a73b2a865b5','4e8de3c0c756a32b352b7d2a8bf22aa972d834fcfe3b09a053eb46e313c9b92e');
INSERT INTO "events" VALUES(2,1,NULL,'2026-11-24T19:54:49.654Z','workspace.opened','{"name":"other","tenant":"local"}','0000000000000000000000000000000000000000000000000000000000000000','93c5c5f34c464bbd4da4dacc9c03f93b4c016bcbf660fd6025d3d86325f28f71');
INSERT INTO "events" VALUES(2,2,'25d2e721-0c4b-4248-812b-eab27698d9c9','2026-11-24T19:54:49.655Z','evidence.judged','{"carrier":"fence","grant":"structural-parity","moves":[{"artifact":"345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c","confidence":"CONFIRMED","entity":"api.py","op":"promote","reason":"structural-parity","source":"AST"},{"artifact":"fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4","confidence":"CONFIRMED","entity":"api.py::hello","op":"promote","reason":"structural-parity","source":"AST"}],"origin":"model","path":"api.py"}','93c5c5f34c464bbd4da4dacc9c03f93b4c016bcbf660fd6025d3d86325f28f71','fad2996f1c92c867de3887f0f7629df9b0769fb20e78a18ff1c0c996ae52de9b');
INSERT INTO "events" VALUES(2,3,'25d2e721-0c4b-4248-812b-eab27698d9c9','2026-11-24T19:54:49.655Z','episode.recorded','{"answer":"140e9e093ac4051b29540e444f40efa18402246d659d8549baa0a49a35ab3c2f","call_type":"acompletion","complete":true,"conversation":"dce1669e-a946-4827-a6ba-bbfa99387e9d","finish":"stop","hydrated":[],"model":"openai","notices":0,"place":[0,1,3,-1],"prompt":"29c503e3c9d5490c876a36c1b9f8138f32f4c876a2e21468d0f96c6786f8fe2b","side":false,"started_at":"2026-11-24T19:54:49.634Z"}','fad2996f1c92c867de3887f0f7629df9b0769fb20e78a18ff1c0c996ae52de9b','d617cda23c762081011ace79cdf297d076c972e79bce11d4f88e8ae9cb3348e9');
CREATE TABLE parser_refusals (
	artifact VARCHAR(64) NOT NULL, 
	language VARCHAR(64) NOT NULL, 
	reason VARCHAR(16) NOT NULL, 
	refused_at VARCHAR(24) NOT NULL, 
	PRIMARY KEY (artifact, language)
);
CREATE TABLE state_map (
	workspace_id INTEGER NOT NULL, 
	entity TEXT NOT NULL, 
	path TEXT NOT NULL, 
	basename TEXT NOT NULL, 
	symbol TEXT, 
	leaf TEXT, 
	artifact VARCHAR(64) NOT NULL, 
	freshness VARCHAR(8) NOT NULL, 
	source VARCHAR(8) NOT NULL, 
	updated_at VARCHAR(24) NOT NULL, 
	PRIMARY KEY (workspace_id, entity), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
INSERT INTO "state_map" VALUES(1,'geo.py','geo.py','geo.py',NULL,NULL,'260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4','CLEAN','AST','2026-11-24T19:54:49.638Z');
INSERT INTO "state_map" VALUES(1,'geo.py::area_of','geo.py','geo.py','area_of','area_of','2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479','CLEAN','AST','2026-11-24T19:54:49.638Z');
INSERT INTO "state_map" VALUES(1,'geo.py::edge_of','geo.py','geo.py','edge_of','edge_of','849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71','CLEAN','AST','2026-11-24T19:54:49.638Z');
INSERT INTO "state_map" VALUES(2,'api.py','api.py','api.py',NULL,NULL,'345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c','CLEAN','AST','2026-11-24T19:54:49.655Z');
INSERT INTO "state_map" VALUES(2,'api.py::hello','api.py','api.py','hello','hello','fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4','CLEAN','AST','2026-11-24T19:54:49.655Z');
CREATE TABLE tombstones (
	workspace_id INTEGER NOT NULL, 
	entity TEXT NOT NULL, 
	artifact VARCHAR(64) NOT NULL, 
	since VARCHAR(24) NOT NULL, 
	episode INTEGER NOT NULL, 
	PRIMARY KEY (workspace_id, entity), 
	FOREIGN KEY(workspace_id) REFERENCES workspaces (id)
);
CREATE TABLE vault (
	hash VARCHAR(64) NOT NULL, 
	encoding VARCHAR(8) NOT NULL, 
	body BLOB NOT NULL, 
	crc BIGINT NOT NULL, 
	PRIMARY KEY (hash)
);
INSERT INTO "vault" VALUES('f93267980cb4d3cd014f30cd31f3c0625de156f15f11b1868dd3064a871020a1','utf-8',X'696D706F7274206D6174680A0A0A64656620617265615F6F662872293A0A2020202072657475726E206D6174682E7069202A2072202A2072202B20310A0A0A64656620656467655F6F662872293A0A2020202072657475726E2072202B20310A',154651668);
INSERT INTO "vault" VALUES('85d8f2103baa69f3b550913f97721000b8e4b95b5fe5b1b9ca2fe1bdb96b5620','slice',X'663933323637393830636234643363643031346633306364333166336330363235646531353666313566313162313836386464333036346138373130323061313A31343A3630',1242605511);
INSERT INTO "vault" VALUES('9ce24015ab7dd331a5ce93f65b0f57e920aafc6fa44a5c7a17e7920bc3687cd2','slice',X'663933323637393830636234643363643031346633306364333166336330363235646531353666313566313162313836386464333036346138373130323061313A36333A3935',2450893614);
INSERT INTO "vault" VALUES('a54a2ac3e2842be6d5e382e571911ef24f814f394a8b26e8a076f462c9cb04e6','utf-8',X'57726974652067656F2E70792C2076657273696F6E2031',3103038911);
INSERT INTO "vault" VALUES('260e8f0a49d72bcca7c22b142426cf0907802f4fc04a877522f1cb59bbb6bed4','utf-8',X'696D706F7274206D6174680A0A0A64656620617265615F6F662872293A0A2020202072657475726E206D6174682E7069202A2072202A2072202B20320A0A0A64656620656467655F6F662872293A0A2020202072657475726E2072202B20320A',2021367991);
INSERT INTO "vault" VALUES('2f1078130d25bfe5d017abb26921b6f70966c1ec36aa39607e28b93b1472d479','slice',X'323630653866306134396437326263636137633232623134323432366366303930373830326634666330346138373735323266316362353962626236626564343A31343A3630',695123495);
INSERT INTO "vault" VALUES('849333c3c9c33d6736731f042bf97e08424b5659a133fffb69758c62b3439f71','slice',X'323630653866306134396437326263636137633232623134323432366366303930373830326634666330346138373735323266316362353962626236626564343A36333A3935',4050367182);
INSERT INTO "vault" VALUES('751301cb8ea44d57654e5062cf44ee50c25a0fe8b036ae744a201c6a2208d41a','utf-8',X'57726974652067656F2E70792C2076657273696F6E2032',570280965);
INSERT INTO "vault" VALUES('345a09077e88e5b84f401d3d3e82aee36008984b51eab4f049c08e4362539d3c','utf-8',X'6465662068656C6C6F28293A0A2020202072657475726E20310A',2563311658);
INSERT INTO "vault" VALUES('fefb58f29b1a4e8a9ffa6f47428ce93ca06414c72d0277c3aaec0c7329d7aec4','slice',X'333435613039303737653838653562383466343031643364336538326165653336303038393834623531656162346630343963303865343336323533396433633A303A3235',67113814);
INSERT INTO "vault" VALUES('29c503e3c9d5490c876a36c1b9f8138f32f4c876a2e21468d0f96c6786f8fe2b','utf-8',X'5772697465206170692E7079',1682286240);
CREATE TABLE workspaces (
	id INTEGER NOT NULL, 
	tenant VARCHAR(255) NOT NULL, 
	name TEXT NOT NULL, 
	head_seq INTEGER NOT NULL, 
	head_hash VARCHAR(64) NOT NULL, 
	episodes INTEGER NOT NULL, 
	PRIMARY KEY (id), 
	CONSTRAINT uq_workspaces_tenant_name UNIQUE (tenant, name)
);
INSERT INTO "workspaces" VALUES(1,'local','w',5,'4e8de3c0c756a32b352b7d2a8bf22aa972d834fcfe3b09a053eb46e313c9b92e',2);
INSERT INTO "workspaces" VALUES(2,'local','other',3,'d617cda23c762081011ace79cdf297d076c972e79bce11d4f88e8ae9cb3348e9',1);
CREATE INDEX ix_events_episode ON events (workspace_id, episode_id);
CREATE INDEX ix_events_kind ON events (workspace_id, kind, seq);
CREATE INDEX ix_state_map_path ON state_map (workspace_id, path);
CREATE INDEX ix_state_map_basename ON state_map (workspace_id, basename);
CREATE TRIGGER vault_no_update BEFORE UPDATE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER vault_no_delete BEFORE DELETE ON vault BEGIN SELECT RAISE(ABORT, 'vault is append-only'); END;
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER vault_no_replace BEFORE INSERT ON vault WHEN EXISTS (SELECT 1 FROM vault WHERE hash = NEW.hash) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events WHERE workspace_id = NEW.workspace_id AND seq = NEW.seq) BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE INDEX ix_conversations_used ON conversations (workspace_id, used);
CREATE INDEX ix_conversation_items_digest ON conversation_items (workspace_id, digest, said);
CREATE INDEX ix_state_map_leaf ON state_map (workspace_id, leaf, path);
CREATE INDEX ix_state_map_symbol ON state_map (workspace_id, symbol, path);
CREATE INDEX ix_parser_refusals_refused_at ON parser_refusals (refused_at);
COMMIT;
