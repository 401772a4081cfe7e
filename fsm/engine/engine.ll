; source 4bebc334e7b8fda16297fb15a7ed7855
; Made by tools/engine/build.py with numba 0.68.1. Do not edit.

@python.outside = internal constant [46 x i8] c"an index of the engine lies outside its table\00"
@PyExc_IndexError = external local_unnamed_addr global ptr

define internal fastcc i32 @entry.serve(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, i64 %arg.address, i64 %arg.request, i64 %arg.x, i64 %arg.y) unnamed_addr {
entry:
  %.779.i.i = alloca i64, align 8
  %.1678.i.i = alloca i64, align 8
  %.961.i169.i = alloca i64, align 8
  %excinfo.2.i.i178 = alloca ptr, align 8
  %.1248.i.i179 = alloca i64, align 8
  %excinfo.1.i165.i = alloca ptr, align 8
  %.191.i.i = alloca i64, align 8
  %excinfo.1.i.i180 = alloca ptr, align 8
  %.35.i = alloca i64, align 8
  %.66.i = alloca i64, align 8
  %excinfo.2.i181 = alloca ptr, align 8
  %.105.i = alloca i64, align 8
  %.149.i = alloca i64, align 8
  %excinfo.4.i182 = alloca ptr, align 8
  %.746.i.i = alloca i64, align 8
  %excinfo.2.i336.i = alloca ptr, align 8
  %.931.i.i = alloca i64, align 8
  %excinfo.2.i280.i = alloca ptr, align 8
  %.845.i.i = alloca i64, align 8
  %excinfo.3.i244.i = alloca ptr, align 8
  %.1094.i.i = alloca i64, align 8
  %excinfo.1.i231.i = alloca ptr, align 8
  %.245.i290.i.i.i = alloca i64, align 8
  %excinfo.1.i291.i.i.i = alloca ptr, align 8
  %.245.i.i.i.i = alloca i64, align 8
  %excinfo.1.i.i.i181.i = alloca ptr, align 8
  %.1324.i.i = alloca i64, align 8
  %.2081.i.i = alloca i64, align 8
  %excinfo.11.i.i = alloca ptr, align 8
  %.2132.i.i = alloca i64, align 8
  %excinfo.12.i.i = alloca ptr, align 8
  %.191.i.i.i.i129 = alloca i64, align 8
  %excinfo.1.i.i.i.i = alloca ptr, align 8
  %.603.i.i = alloca i64, align 8
  %excinfo.1.i.i130 = alloca ptr, align 8
  %.735.i.i = alloca i64, align 8
  %excinfo.2.i.i131 = alloca ptr, align 8
  %.1732.i.i = alloca i64, align 8
  %excinfo.3.i.i = alloca ptr, align 8
  %.4963.i.i = alloca i64, align 8
  %excinfo.6.i.i = alloca ptr, align 8
  %.5007.i.i = alloca i64, align 8
  %excinfo.7.i.i = alloca ptr, align 8
  %.5518.i.i = alloca i64, align 8
  %excinfo.10.i.i = alloca ptr, align 8
  %.33.i = alloca i64, align 8
  %excinfo.1.i132 = alloca ptr, align 8
  %.78.i = alloca i64, align 8
  %excinfo.2.i = alloca ptr, align 8
  %.63.i.i = alloca i64, align 8
  %excinfo.1.i.i = alloca ptr, align 8
  %.100.i.i = alloca [2 x i64], align 8
  %excinfo.2.i.i = alloca ptr, align 8
  %.153.i.i = alloca i64, align 8
  %.184.i.i = alloca i64, align 8
  %excinfo.4.i.i = alloca ptr, align 8
  %.628.i.i = alloca i64, align 8
  %excinfo.5.i.i = alloca ptr, align 8
  %.24.i = alloca i64, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.261.i = alloca i64, align 8
  %excinfo.3.i = alloca ptr, align 8
  %.325.i = alloca i64, align 8
  %excinfo.4.i = alloca ptr, align 8
  %.432.i = alloca i64, align 8
  %excinfo.5.i = alloca ptr, align 8
  %.637.i = alloca i64, align 8
  %excinfo.8.i = alloca ptr, align 8
  %.19 = inttoptr i64 %arg.address to ptr
  %.43 = icmp sgt i64 %arg.request, 3
  br i1 %.43, label %B68, label %B134

B68:                                              ; preds = %entry
  %.46 = icmp slt i64 %arg.x, 0
  br i1 %.46, label %B120, label %B80

B80:                                              ; preds = %B68
  %.77 = getelementptr i8, ptr %.19, i64 128
  %.78 = load i64, ptr %.77, align 8
  %.80.not = icmp slt i64 %arg.x, %.78
  br i1 %.80.not, label %B134, label %B120

common.ret:                                       ; preds = %B338.if, %B276.if, %B220.if, %681, %679, %B220.endif, %B120
  %common.ret.op = phi i32 [ 0, %B120 ], [ 0, %B220.endif ], [ 1, %B338.if ], [ 1, %B220.if ], [ 0, %679 ], [ 1, %B276.if ], [ 0, %681 ]
  ret i32 %common.ret.op

B120:                                             ; preds = %B80, %B68
  store i64 2, ptr %retptr, align 8
  br label %common.ret

B134:                                             ; preds = %B80, %entry
  %.120 = getelementptr i8, ptr %.19, i64 896
  %.121 = load i64, ptr %.120, align 8
  %.122 = icmp eq i64 %.121, 0
  br i1 %.122, label %B168, label %B198

B168:                                             ; preds = %B134
  %.152 = getelementptr i8, ptr %.19, i64 888
  store i64 -1, ptr %.152, align 8
  br label %B198

B198:                                             ; preds = %B168, %B134
  %.156 = icmp eq i64 %arg.request, 7
  br i1 %.156, label %B220, label %B254

B220:                                             ; preds = %B198
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !0
  store i64 0, ptr %.261.i, align 8, !noalias !0
  store ptr null, ptr %excinfo.3.i, align 8, !noalias !0
  store i64 0, ptr %.325.i, align 8, !noalias !0
  store ptr null, ptr %excinfo.4.i, align 8, !noalias !0
  store i64 0, ptr %.432.i, align 8, !noalias !0
  store ptr null, ptr %excinfo.5.i, align 8, !noalias !0
  store i64 0, ptr %.637.i, align 8, !noalias !0
  store ptr null, ptr %excinfo.8.i, align 8, !noalias !0
  store i64 0, ptr %.24.i, align 8, !noalias !0
  %.30.i = call fastcc i32 @classes.loop_of(ptr %.24.i, ptr %excinfo.1.i, ptr nonnull %.19, i64 %arg.x)
  %.32.not.i = icmp eq i32 %.30.i, 0
  %.40.i = load i64, ptr %.24.i, align 8, !noalias !0
  br i1 %.32.not.i, label %B0.endif.i, label %B0.if.i, !prof !4

B72.i:                                            ; preds = %B0.endif.i
  %.69.i = icmp sgt i64 %.40.i, -1
  %.72.i = and i64 %.40.i, 7
  %.73.not.i = icmp ne i64 %.72.i, 2
  %or.cond343.not.i = and i1 %.69.i, %.73.not.i
  br i1 %or.cond343.not.i, label %B112.i, label %B148.i

B112.i:                                           ; preds = %B72.i
  %.82.i = shl i64 %.40.i, 4
  %.85.i = or i64 %.82.i, 6
  br label %B220.endif

B148.i:                                           ; preds = %B72.i
  %.94.i = icmp eq i64 %arg.y, 0
  %or.cond.i = select i1 %.69.i, i1 %.94.i, i1 false
  br i1 %or.cond.i, label %B172.i, label %B322.i

B172.i:                                           ; preds = %B148.i
  %.125.i = load i64, ptr %.120, align 8, !noalias !0
  %.126.i = icmp eq i64 %.125.i, 0
  br i1 %.126.i, label %B206.i, label %B518.i

B206.i:                                           ; preds = %B172.i
  store ptr null, ptr %excinfo.1.i.i, align 8, !noalias !5
  store ptr null, ptr %excinfo.2.i.i, align 8, !noalias !5
  store ptr null, ptr %excinfo.4.i.i, align 8, !noalias !5
  store ptr null, ptr %excinfo.5.i.i, align 8, !noalias !5
  %.26.i.i = getelementptr i8, ptr %.19, i64 120
  %.27.i.i = load i64, ptr %.26.i.i, align 8, !noalias !5
  %.29.i.i = getelementptr i8, ptr %.19, i64 136
  %.30.i.i = load i64, ptr %.29.i.i, align 8, !noalias !5
  %.36.i.i = inttoptr i64 %.27.i.i to ptr
  store i64 0, ptr %.63.i.i, align 8, !noalias !5
  %.69.i.i = call fastcc i32 @classes.aside(ptr %.63.i.i, ptr %excinfo.1.i.i, ptr nonnull %.19, i64 %arg.x)
  %.71.not.i.i = icmp eq i32 %.69.i.i, 0
  %.79.i.i = load i64, ptr %.63.i.i, align 8, !noalias !5
  br i1 %.71.not.i.i, label %B0.endif.i.i, label %B206.if.i, !prof !4

B174.i.i:                                         ; preds = %B0.endif.endif.i.i
  store i64 0, ptr %.153.i.i, align 8, !noalias !5
  call fastcc void @terms.push(ptr %.153.i.i, ptr nonnull %.19, i64 %.116.fca.0.load.i.i, i64 %.116.fca.1.load.i.i)
  %.169.i.i = load i64, ptr %.153.i.i, align 8, !noalias !5
  store i64 0, ptr %.184.i.i, align 8, !noalias !5
  %.190.i.i = call fastcc i32 @states.state_of(ptr %.184.i.i, ptr %excinfo.4.i.i, ptr nonnull %.19, i64 %.169.i.i)
  %.192.not.i.i = icmp eq i32 %.190.i.i, 0
  br i1 %.192.not.i.i, label %B234.i.i, label %B206.if.i, !prof !4

B234.i.i:                                         ; preds = %B174.i.i
  %.200.i.i = load i64, ptr %.184.i.i, align 8, !noalias !5
  %.220.i.i = icmp eq i64 %.200.i.i, -3
  br i1 %.220.i.i, label %B206.endif.thread.i, label %B280.if.preheader.i.i

B280.if.preheader.i.i:                            ; preds = %B234.i.i
  %.338.i.i = icmp slt i64 %.200.i.i, 0
  %.339.i.i = select i1 %.338.i.i, i64 %.30.i.i, i64 0
  %.340.i.i = add i64 %.339.i.i, %.200.i.i
  %.idx5.i.i = shl i64 %.340.i.i, 6
  %0 = getelementptr i8, ptr %.36.i.i, i64 %.idx5.i.i
  %.364.i.i = getelementptr i8, ptr %0, i64 40
  %.365.i.i = load i64, ptr %.364.i.i, align 8, !noalias !5
  %.366.i.i = icmp eq i64 %.365.i.i, -1
  br i1 %.366.i.i, label %B332.i.i, label %B402.i.i

B332.i.i:                                         ; preds = %B280.if.preheader.i.i
  store i64 -2, ptr %.364.i.i, align 8, !noalias !5
  %.478.i.i = getelementptr i8, ptr %0, i64 48
  store i64 -2, ptr %.478.i.i, align 8, !noalias !5
  br label %B402.i.i

B402.i.i:                                         ; preds = %B332.i.i, %B280.if.preheader.i.i
  %.338.1.i.i = icmp slt i64 %.79.i.i, 0
  %.339.1.i.i = select i1 %.338.1.i.i, i64 %.30.i.i, i64 0
  %.340.1.i.i = add i64 %.339.1.i.i, %.79.i.i
  %.idx5.1.i.i = shl i64 %.340.1.i.i, 6
  %1 = getelementptr i8, ptr %.36.i.i, i64 %.idx5.1.i.i
  %.364.1.i.i = getelementptr i8, ptr %1, i64 40
  %.365.1.i.i = load i64, ptr %.364.1.i.i, align 8, !noalias !5
  %.366.1.i.i = icmp eq i64 %.365.1.i.i, -1
  br i1 %.366.1.i.i, label %B332.1.i.i, label %B442.i.i

B332.1.i.i:                                       ; preds = %B402.i.i
  store i64 -2, ptr %.364.1.i.i, align 8, !noalias !5
  %.478.1.i.i = getelementptr i8, ptr %1, i64 48
  store i64 -2, ptr %.478.1.i.i, align 8, !noalias !5
  br label %B442.i.i

B442.i.i:                                         ; preds = %B332.1.i.i, %B402.i.i
  %.515.i.i = icmp slt i64 %arg.x, 0
  %.516.i.i = select i1 %.515.i.i, i64 %.30.i.i, i64 0
  %.517.i.i = add i64 %.516.i.i, %arg.x
  %.idx.i.i = shl i64 %.517.i.i, 6
  %2 = getelementptr i8, ptr %.36.i.i, i64 %.idx.i.i
  %.541.i.i = getelementptr i8, ptr %2, i64 56
  %.542.i.i = load i64, ptr %.541.i.i, align 8, !noalias !5
  %.66.i.i.i = getelementptr i8, ptr %.19, i64 96
  %.69.i.i.i = getelementptr i8, ptr %.19, i64 112
  %.104.i.i.i = getelementptr i8, ptr %.19, i64 192
  %.107.i.i.i = getelementptr i8, ptr %.19, i64 208
  %.35.i.i.i.i = getelementptr i8, ptr %.19, i64 16
  %.74.i.i.i.i = getelementptr i8, ptr %.19, i64 48
  store i64 0, ptr %.628.i.i, align 8, !noalias !5
  %.634.i.i = call fastcc i32 @classes.loop_of(ptr %.628.i.i, ptr %excinfo.5.i.i, ptr nonnull %.19, i64 %.200.i.i)
  %.636.not.i.i = icmp eq i32 %.634.i.i, 0
  %.644.i.i = load i64, ptr %.628.i.i, align 8, !noalias !5
  br i1 %.636.not.i.i, label %B442.endif.i.i, label %B206.if.i, !prof !4

B516.i.i:                                         ; preds = %B442.endif.i.i
  %.677.i.i = icmp slt i64 %.644.i.i, 0
  br i1 %.677.i.i, label %B568.i.i, label %B528.i.i

B528.i.i:                                         ; preds = %B516.i.i
  %.680.i.i = and i64 %.644.i.i, 7
  %.683.i.i = icmp ne i64 %.680.i.i, 2
  %.687.not.i.i = icmp eq i64 %.200.i.i, %.79.i.i
  %or.cond332.i.i = select i1 %.683.i.i, i1 true, i1 %.687.not.i.i
  br i1 %or.cond332.i.i, label %B442.1.i.i, label %B568.i.i

B568.i.i:                                         ; preds = %B528.i.i, %B516.i.i
  %.25.i.i.i = load i64, ptr %.26.i.i, align 8, !noalias !9
  %.28.i.i.i = load i64, ptr %.29.i.i, align 8, !noalias !9
  %.34.i.i.i = inttoptr i64 %.25.i.i.i to ptr
  %.67.i.i.i = load i64, ptr %.66.i.i.i, align 8, !noalias !9
  %.70.i.i.i = load i64, ptr %.69.i.i.i, align 8, !noalias !9
  %.76.i.i.i = inttoptr i64 %.67.i.i.i to ptr
  %.105.i.i.i = load i64, ptr %.104.i.i.i, align 8, !noalias !9
  %.108.i.i.i = load i64, ptr %.107.i.i.i, align 8, !noalias !9
  %.114.i.i.i = inttoptr i64 %.105.i.i.i to ptr
  %.177.i.i.i = select i1 %.338.i.i, i64 %.28.i.i.i, i64 0
  %.178.i.i.i = add i64 %.177.i.i.i, %.200.i.i
  %.idx.i.i.i = shl i64 %.178.i.i.i, 6
  %3 = getelementptr i8, ptr %.34.i.i.i, i64 %.idx.i.i.i
  %.308.i.i.i = getelementptr i8, ptr %3, i64 24
  %.309.i.i.i = load i64, ptr %.308.i.i.i, align 8, !noalias !9
  %.3926.not.i.i.i = icmp slt i64 %.309.i.i.i, 1
  br i1 %.3926.not.i.i.i, label %B442.1.i.i, label %B322.if.lr.ph.i.i.i

B322.if.lr.ph.i.i.i:                              ; preds = %B568.i.i
  %.202.i.i.i = getelementptr i8, ptr %3, i64 16
  %.203.i.i.i = load i64, ptr %.202.i.i.i, align 8, !noalias !9
  br label %B322.if.i.i.i

B448.i.i.i:                                       ; preds = %B420.if.i.i.i
  %.401.i.i.i = add nsw i64 %.337.07.i.i.i, -1
  %.405.i.i.i = add i64 %.334.08.i.i.i, 1
  %.708.i.i.i = icmp sgt i64 %.688.i.i.i.7, %widest.2.09.i.i.i
  br i1 %.708.i.i.i, label %B460.i.i.i, label %B530.i.i.i

B460.i.i.i:                                       ; preds = %B448.i.i.i
  %.752.i.i.i = and i64 %.463.i.i.i, 4294967295
  %.19.not.i.i.i.i = icmp eq i64 %.752.i.i.i, 0
  br i1 %.19.not.i.i.i.i, label %B510.i.i.i, label %leaves.is_split.exit.i.i.i

leaves.is_split.exit.i.i.i:                       ; preds = %B460.i.i.i
  %.33.i.i.i.i = load i64, ptr %.19, align 8, !noalias !12
  %.36.i.i.i.i = load i64, ptr %.35.i.i.i.i, align 8, !noalias !12
  %.42.i.i.i.i = inttoptr i64 %.33.i.i.i.i to ptr
  %.75.i.i.i.i = load i64, ptr %.74.i.i.i.i, align 8, !noalias !12
  %.84.i.i.i.i = inttoptr i64 %.75.i.i.i.i to ptr
  %.164.idx.i.i.i.i = shl nuw nsw i64 %.752.i.i.i, 6
  %.164.i.i.i.i = getelementptr i8, ptr %.84.i.i.i.i, i64 %.164.idx.i.i.i.i
  %.165.i.i.i.i = load i64, ptr %.164.i.i.i.i, align 8, !noalias !12
  %.191.i.i.i.i = icmp slt i64 %.165.i.i.i.i, 0
  %.192.i.i.i.i = select i1 %.191.i.i.i.i, i64 %.36.i.i.i.i, i64 0
  %.193.i.i.i.i = add i64 %.192.i.i.i.i, %.165.i.i.i.i
  %.217.idx.i.i.i.i = shl i64 %.193.i.i.i.i, 6
  %.217.i.i.i.i = getelementptr i8, ptr %.42.i.i.i.i, i64 %.217.idx.i.i.i.i
  %.218.i.i.i.i = load i64, ptr %.217.i.i.i.i, align 8, !noalias !12
  %.219.i.not.i.i.i = icmp eq i64 %.218.i.i.i.i, 11
  br i1 %.219.i.not.i.i.i, label %B530.i.i.i, label %B510.i.i.i

B510.i.i.i:                                       ; preds = %leaves.is_split.exit.i.i.i, %B460.i.i.i
  br label %B530.i.i.i

B530.i.i.i:                                       ; preds = %B510.i.i.i, %leaves.is_split.exit.i.i.i, %B448.i.i.i
  %best.3.1.i.i.i = phi i64 [ %best.2.010.i.i.i, %leaves.is_split.exit.i.i.i ], [ %.463.i.i.i, %B510.i.i.i ], [ %best.2.010.i.i.i, %B448.i.i.i ]
  %widest.3.1.i.i.i = phi i64 [ %widest.2.09.i.i.i, %leaves.is_split.exit.i.i.i ], [ %.688.i.i.i.7, %B510.i.i.i ], [ %widest.2.09.i.i.i, %B448.i.i.i ]
  %.392.i.i.i = icmp ugt i64 %.337.07.i.i.i, 1
  br i1 %.392.i.i.i, label %B322.if.i.i.i, label %classes.widest_leaf.exit.i.i

B322.if.i.i.i:                                    ; preds = %B530.i.i.i, %B322.if.lr.ph.i.i.i
  %best.2.010.i.i.i = phi i64 [ -1, %B322.if.lr.ph.i.i.i ], [ %best.3.1.i.i.i, %B530.i.i.i ]
  %widest.2.09.i.i.i = phi i64 [ 47, %B322.if.lr.ph.i.i.i ], [ %widest.3.1.i.i.i, %B530.i.i.i ]
  %.334.08.i.i.i = phi i64 [ %.203.i.i.i, %B322.if.lr.ph.i.i.i ], [ %.405.i.i.i, %B530.i.i.i ]
  %.337.07.i.i.i = phi i64 [ %.309.i.i.i, %B322.if.lr.ph.i.i.i ], [ %.401.i.i.i, %B530.i.i.i ]
  %.447.i.i.i = icmp slt i64 %.334.08.i.i.i, 0
  %.448.i.i.i = select i1 %.447.i.i.i, i64 %.70.i.i.i, i64 0
  %4 = getelementptr i64, ptr %.76.i.i.i, i64 %.334.08.i.i.i
  %.462.i.i.i = getelementptr i64, ptr %4, i64 %.448.i.i.i
  %.463.i.i.i = load i64, ptr %.462.i.i.i, align 8, !noalias !9
  %.464.i.i.i = ashr i64 %.463.i.i.i, 32
  %.483.i.i.i = icmp slt i64 %.464.i.i.i, 0
  %.484.i.i.i = select i1 %.483.i.i.i, i64 %.108.i.i.i, i64 0
  %.485.i.i.i = add i64 %.484.i.i.i, %.464.i.i.i
  %.502.i.i.i = shl i64 %.485.i.i.i, 8
  %.504.i.i.i = getelementptr i8, ptr %.114.i.i.i, i64 %.502.i.i.i
  br label %B420.if.i.i.i

B420.if.i.i.i:                                    ; preds = %B420.if.i.i.i, %B322.if.i.i.i
  %width.2.15.i.i.i = phi i64 [ 0, %B322.if.i.i.i ], [ %.688.i.i.i.7, %B420.if.i.i.i ]
  %.562.03.i.i.i = phi i64 [ 0, %B322.if.i.i.i ], [ %.631.i.i.i.7, %B420.if.i.i.i ]
  %5 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %.685.i.i.i = load i8, ptr %5, align 1, !noalias !9
  %.687.i.i.i = zext i8 %.685.i.i.i to i64
  %.688.i.i.i = add nuw nsw i64 %width.2.15.i.i.i, %.687.i.i.i
  %6 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %7 = getelementptr i8, ptr %6, i64 1
  %.685.i.i.i.1 = load i8, ptr %7, align 1, !noalias !9
  %.687.i.i.i.1 = zext i8 %.685.i.i.i.1 to i64
  %.688.i.i.i.1 = add nuw nsw i64 %.688.i.i.i, %.687.i.i.i.1
  %8 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %9 = getelementptr i8, ptr %8, i64 2
  %.685.i.i.i.2 = load i8, ptr %9, align 1, !noalias !9
  %.687.i.i.i.2 = zext i8 %.685.i.i.i.2 to i64
  %.688.i.i.i.2 = add nuw nsw i64 %.688.i.i.i.1, %.687.i.i.i.2
  %10 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %11 = getelementptr i8, ptr %10, i64 3
  %.685.i.i.i.3 = load i8, ptr %11, align 1, !noalias !9
  %.687.i.i.i.3 = zext i8 %.685.i.i.i.3 to i64
  %.688.i.i.i.3 = add nuw nsw i64 %.688.i.i.i.2, %.687.i.i.i.3
  %12 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %13 = getelementptr i8, ptr %12, i64 4
  %.685.i.i.i.4 = load i8, ptr %13, align 1, !noalias !9
  %.687.i.i.i.4 = zext i8 %.685.i.i.i.4 to i64
  %.688.i.i.i.4 = add nuw nsw i64 %.688.i.i.i.3, %.687.i.i.i.4
  %14 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %15 = getelementptr i8, ptr %14, i64 5
  %.685.i.i.i.5 = load i8, ptr %15, align 1, !noalias !9
  %.687.i.i.i.5 = zext i8 %.685.i.i.i.5 to i64
  %.688.i.i.i.5 = add nuw nsw i64 %.688.i.i.i.4, %.687.i.i.i.5
  %16 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %17 = getelementptr i8, ptr %16, i64 6
  %.685.i.i.i.6 = load i8, ptr %17, align 1, !noalias !9
  %.687.i.i.i.6 = zext i8 %.685.i.i.i.6 to i64
  %.688.i.i.i.6 = add nuw nsw i64 %.688.i.i.i.5, %.687.i.i.i.6
  %.631.i.i.i.7 = add nuw nsw i64 %.562.03.i.i.i, 8
  %18 = getelementptr i8, ptr %.504.i.i.i, i64 %.562.03.i.i.i
  %19 = getelementptr i8, ptr %18, i64 7
  %.685.i.i.i.7 = load i8, ptr %19, align 1, !noalias !9
  %.687.i.i.i.7 = zext i8 %.685.i.i.i.7 to i64
  %.688.i.i.i.7 = add nuw nsw i64 %.688.i.i.i.6, %.687.i.i.i.7
  %exitcond.not.i.i.i.7 = icmp eq i64 %.631.i.i.i.7, 256
  br i1 %exitcond.not.i.i.i.7, label %B448.i.i.i, label %B420.if.i.i.i

classes.widest_leaf.exit.i.i:                     ; preds = %B530.i.i.i
  %.722.i.i = icmp sgt i64 %best.3.1.i.i.i, -1
  br i1 %.722.i.i, label %B274.thread.i, label %B442.1.i.i

B442.1.i.i:                                       ; preds = %classes.widest_leaf.exit.i.i, %B568.i.i, %B528.i.i
  store i64 0, ptr %.628.i.i, align 8, !noalias !5
  %.634.1.i.i = call fastcc i32 @classes.loop_of(ptr %.628.i.i, ptr %excinfo.5.i.i, ptr %.19, i64 %.79.i.i)
  %.636.not.1.i.i = icmp eq i32 %.634.1.i.i, 0
  %.644.1.i.i = load i64, ptr %.628.i.i, align 8, !noalias !5
  br i1 %.636.not.1.i.i, label %B442.endif.1.i.i, label %B206.if.i, !prof !4

B442.endif.1.i.i:                                 ; preds = %B442.1.i.i
  %.658.1.i.i = icmp eq i64 %.644.1.i.i, -3
  br i1 %.658.1.i.i, label %B206.endif.thread.i, label %B516.1.i.i

B516.1.i.i:                                       ; preds = %B442.endif.1.i.i
  %.677.1.i.i = icmp slt i64 %.644.1.i.i, 0
  br i1 %.677.1.i.i, label %B568.1.i.i, label %B442.2.i.i

B568.1.i.i:                                       ; preds = %B516.1.i.i
  %.25.i.1.i.i = load i64, ptr %.26.i.i, align 8, !noalias !9
  %.28.i.1.i.i = load i64, ptr %.29.i.i, align 8, !noalias !9
  %.34.i.1.i.i = inttoptr i64 %.25.i.1.i.i to ptr
  %.67.i.1.i.i = load i64, ptr %.66.i.i.i, align 8, !noalias !9
  %.70.i.1.i.i = load i64, ptr %.69.i.i.i, align 8, !noalias !9
  %.76.i.1.i.i = inttoptr i64 %.67.i.1.i.i to ptr
  %.105.i.1.i.i = load i64, ptr %.104.i.i.i, align 8, !noalias !9
  %.108.i.1.i.i = load i64, ptr %.107.i.i.i, align 8, !noalias !9
  %.114.i.1.i.i = inttoptr i64 %.105.i.1.i.i to ptr
  %.177.i.1.i.i = select i1 %.338.1.i.i, i64 %.28.i.1.i.i, i64 0
  %.178.i.1.i.i = add i64 %.177.i.1.i.i, %.79.i.i
  %.idx.i.1.i.i = shl i64 %.178.i.1.i.i, 6
  %20 = getelementptr i8, ptr %.34.i.1.i.i, i64 %.idx.i.1.i.i
  %.308.i.1.i.i = getelementptr i8, ptr %20, i64 24
  %.309.i.1.i.i = load i64, ptr %.308.i.1.i.i, align 8, !noalias !9
  %.3926.not.i.1.i.i = icmp slt i64 %.309.i.1.i.i, 1
  br i1 %.3926.not.i.1.i.i, label %B442.2.i.i, label %B322.if.lr.ph.i.1.i.i

B322.if.lr.ph.i.1.i.i:                            ; preds = %B568.1.i.i
  %.202.i.1.i.i = getelementptr i8, ptr %20, i64 16
  %.203.i.1.i.i = load i64, ptr %.202.i.1.i.i, align 8, !noalias !9
  br label %B322.if.i.1.i.i

B322.if.i.1.i.i:                                  ; preds = %B530.i.1.i.i, %B322.if.lr.ph.i.1.i.i
  %best.2.010.i.1.i.i = phi i64 [ -1, %B322.if.lr.ph.i.1.i.i ], [ %best.3.1.i.1.i.i, %B530.i.1.i.i ]
  %widest.2.09.i.1.i.i = phi i64 [ 47, %B322.if.lr.ph.i.1.i.i ], [ %widest.3.1.i.1.i.i, %B530.i.1.i.i ]
  %.334.08.i.1.i.i = phi i64 [ %.203.i.1.i.i, %B322.if.lr.ph.i.1.i.i ], [ %.405.i.1.i.i, %B530.i.1.i.i ]
  %.337.07.i.1.i.i = phi i64 [ %.309.i.1.i.i, %B322.if.lr.ph.i.1.i.i ], [ %.401.i.1.i.i, %B530.i.1.i.i ]
  %.447.i.1.i.i = icmp slt i64 %.334.08.i.1.i.i, 0
  %.448.i.1.i.i = select i1 %.447.i.1.i.i, i64 %.70.i.1.i.i, i64 0
  %21 = getelementptr i64, ptr %.76.i.1.i.i, i64 %.334.08.i.1.i.i
  %.462.i.1.i.i = getelementptr i64, ptr %21, i64 %.448.i.1.i.i
  %.463.i.1.i.i = load i64, ptr %.462.i.1.i.i, align 8, !noalias !9
  %.464.i.1.i.i = ashr i64 %.463.i.1.i.i, 32
  %.483.i.1.i.i = icmp slt i64 %.464.i.1.i.i, 0
  %.484.i.1.i.i = select i1 %.483.i.1.i.i, i64 %.108.i.1.i.i, i64 0
  %.485.i.1.i.i = add i64 %.484.i.1.i.i, %.464.i.1.i.i
  %.502.i.1.i.i = shl i64 %.485.i.1.i.i, 8
  %.504.i.1.i.i = getelementptr i8, ptr %.114.i.1.i.i, i64 %.502.i.1.i.i
  br label %B420.if.i.1.i.i

B420.if.i.1.i.i:                                  ; preds = %B420.if.i.1.i.i, %B322.if.i.1.i.i
  %width.2.15.i.1.i.i = phi i64 [ 0, %B322.if.i.1.i.i ], [ %.688.i.1.i.i.7, %B420.if.i.1.i.i ]
  %.562.03.i.1.i.i = phi i64 [ 0, %B322.if.i.1.i.i ], [ %.631.i.1.i.i.7, %B420.if.i.1.i.i ]
  %22 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %.685.i.1.i.i = load i8, ptr %22, align 1, !noalias !9
  %.687.i.1.i.i = zext i8 %.685.i.1.i.i to i64
  %.688.i.1.i.i = add nuw nsw i64 %width.2.15.i.1.i.i, %.687.i.1.i.i
  %23 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %24 = getelementptr i8, ptr %23, i64 1
  %.685.i.1.i.i.1 = load i8, ptr %24, align 1, !noalias !9
  %.687.i.1.i.i.1 = zext i8 %.685.i.1.i.i.1 to i64
  %.688.i.1.i.i.1 = add nuw nsw i64 %.688.i.1.i.i, %.687.i.1.i.i.1
  %25 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %26 = getelementptr i8, ptr %25, i64 2
  %.685.i.1.i.i.2 = load i8, ptr %26, align 1, !noalias !9
  %.687.i.1.i.i.2 = zext i8 %.685.i.1.i.i.2 to i64
  %.688.i.1.i.i.2 = add nuw nsw i64 %.688.i.1.i.i.1, %.687.i.1.i.i.2
  %27 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %28 = getelementptr i8, ptr %27, i64 3
  %.685.i.1.i.i.3 = load i8, ptr %28, align 1, !noalias !9
  %.687.i.1.i.i.3 = zext i8 %.685.i.1.i.i.3 to i64
  %.688.i.1.i.i.3 = add nuw nsw i64 %.688.i.1.i.i.2, %.687.i.1.i.i.3
  %29 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %30 = getelementptr i8, ptr %29, i64 4
  %.685.i.1.i.i.4 = load i8, ptr %30, align 1, !noalias !9
  %.687.i.1.i.i.4 = zext i8 %.685.i.1.i.i.4 to i64
  %.688.i.1.i.i.4 = add nuw nsw i64 %.688.i.1.i.i.3, %.687.i.1.i.i.4
  %31 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %32 = getelementptr i8, ptr %31, i64 5
  %.685.i.1.i.i.5 = load i8, ptr %32, align 1, !noalias !9
  %.687.i.1.i.i.5 = zext i8 %.685.i.1.i.i.5 to i64
  %.688.i.1.i.i.5 = add nuw nsw i64 %.688.i.1.i.i.4, %.687.i.1.i.i.5
  %33 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %34 = getelementptr i8, ptr %33, i64 6
  %.685.i.1.i.i.6 = load i8, ptr %34, align 1, !noalias !9
  %.687.i.1.i.i.6 = zext i8 %.685.i.1.i.i.6 to i64
  %.688.i.1.i.i.6 = add nuw nsw i64 %.688.i.1.i.i.5, %.687.i.1.i.i.6
  %.631.i.1.i.i.7 = add nuw nsw i64 %.562.03.i.1.i.i, 8
  %35 = getelementptr i8, ptr %.504.i.1.i.i, i64 %.562.03.i.1.i.i
  %36 = getelementptr i8, ptr %35, i64 7
  %.685.i.1.i.i.7 = load i8, ptr %36, align 1, !noalias !9
  %.687.i.1.i.i.7 = zext i8 %.685.i.1.i.i.7 to i64
  %.688.i.1.i.i.7 = add nuw nsw i64 %.688.i.1.i.i.6, %.687.i.1.i.i.7
  %exitcond.not.i.1.i.i.7 = icmp eq i64 %.631.i.1.i.i.7, 256
  br i1 %exitcond.not.i.1.i.i.7, label %B448.i.1.i.i, label %B420.if.i.1.i.i

B448.i.1.i.i:                                     ; preds = %B420.if.i.1.i.i
  %.401.i.1.i.i = add nsw i64 %.337.07.i.1.i.i, -1
  %.405.i.1.i.i = add i64 %.334.08.i.1.i.i, 1
  %.708.i.1.i.i = icmp sgt i64 %.688.i.1.i.i.7, %widest.2.09.i.1.i.i
  br i1 %.708.i.1.i.i, label %B460.i.1.i.i, label %B530.i.1.i.i

B460.i.1.i.i:                                     ; preds = %B448.i.1.i.i
  %.752.i.1.i.i = and i64 %.463.i.1.i.i, 4294967295
  %.19.not.i.i.1.i.i = icmp eq i64 %.752.i.1.i.i, 0
  br i1 %.19.not.i.i.1.i.i, label %B510.i.1.i.i, label %leaves.is_split.exit.i.1.i.i

leaves.is_split.exit.i.1.i.i:                     ; preds = %B460.i.1.i.i
  %.33.i.i.1.i.i = load i64, ptr %.19, align 8, !noalias !12
  %.36.i.i.1.i.i = load i64, ptr %.35.i.i.i.i, align 8, !noalias !12
  %.42.i.i.1.i.i = inttoptr i64 %.33.i.i.1.i.i to ptr
  %.75.i.i.1.i.i = load i64, ptr %.74.i.i.i.i, align 8, !noalias !12
  %.84.i.i.1.i.i = inttoptr i64 %.75.i.i.1.i.i to ptr
  %.164.idx.i.i.1.i.i = shl nuw nsw i64 %.752.i.1.i.i, 6
  %.164.i.i.1.i.i = getelementptr i8, ptr %.84.i.i.1.i.i, i64 %.164.idx.i.i.1.i.i
  %.165.i.i.1.i.i = load i64, ptr %.164.i.i.1.i.i, align 8, !noalias !12
  %.191.i.i.1.i.i = icmp slt i64 %.165.i.i.1.i.i, 0
  %.192.i.i.1.i.i = select i1 %.191.i.i.1.i.i, i64 %.36.i.i.1.i.i, i64 0
  %.193.i.i.1.i.i = add i64 %.192.i.i.1.i.i, %.165.i.i.1.i.i
  %.217.idx.i.i.1.i.i = shl i64 %.193.i.i.1.i.i, 6
  %.217.i.i.1.i.i = getelementptr i8, ptr %.42.i.i.1.i.i, i64 %.217.idx.i.i.1.i.i
  %.218.i.i.1.i.i = load i64, ptr %.217.i.i.1.i.i, align 8, !noalias !12
  %.219.i.not.i.1.i.i = icmp eq i64 %.218.i.i.1.i.i, 11
  br i1 %.219.i.not.i.1.i.i, label %B530.i.1.i.i, label %B510.i.1.i.i

B510.i.1.i.i:                                     ; preds = %leaves.is_split.exit.i.1.i.i, %B460.i.1.i.i
  br label %B530.i.1.i.i

B530.i.1.i.i:                                     ; preds = %B510.i.1.i.i, %leaves.is_split.exit.i.1.i.i, %B448.i.1.i.i
  %best.3.1.i.1.i.i = phi i64 [ %best.2.010.i.1.i.i, %leaves.is_split.exit.i.1.i.i ], [ %.463.i.1.i.i, %B510.i.1.i.i ], [ %best.2.010.i.1.i.i, %B448.i.1.i.i ]
  %widest.3.1.i.1.i.i = phi i64 [ %widest.2.09.i.1.i.i, %leaves.is_split.exit.i.1.i.i ], [ %.688.i.1.i.i.7, %B510.i.1.i.i ], [ %widest.2.09.i.1.i.i, %B448.i.1.i.i ]
  %.392.i.1.i.i = icmp ugt i64 %.337.07.i.1.i.i, 1
  br i1 %.392.i.1.i.i, label %B322.if.i.1.i.i, label %classes.widest_leaf.exit.1.i.i

classes.widest_leaf.exit.1.i.i:                   ; preds = %B530.i.1.i.i
  %.722.1.i.i = icmp sgt i64 %best.3.1.i.1.i.i, -1
  br i1 %.722.1.i.i, label %B274.thread.i, label %B442.2.i.i

B442.2.i.i:                                       ; preds = %classes.widest_leaf.exit.1.i.i, %B568.1.i.i, %B516.1.i.i
  store i64 0, ptr %.628.i.i, align 8, !noalias !5
  %.634.2.i.i = call fastcc i32 @classes.loop_of(ptr %.628.i.i, ptr %excinfo.5.i.i, ptr %.19, i64 %.542.i.i)
  %.636.not.2.i.i = icmp eq i32 %.634.2.i.i, 0
  %.644.2.i.i = load i64, ptr %.628.i.i, align 8, !noalias !5
  br i1 %.636.not.2.i.i, label %B442.endif.2.i.i, label %B206.if.i, !prof !4

B442.endif.2.i.i:                                 ; preds = %B442.2.i.i
  %.658.2.i.i = icmp eq i64 %.644.2.i.i, -3
  br i1 %.658.2.i.i, label %B206.endif.thread.i, label %B516.2.i.i

B516.2.i.i:                                       ; preds = %B442.endif.2.i.i
  %.677.2.i.i = icmp slt i64 %.644.2.i.i, 0
  br i1 %.677.2.i.i, label %B568.2.i.i, label %B528.2.i.i

B528.2.i.i:                                       ; preds = %B516.2.i.i
  %.680.2.i.i = and i64 %.644.2.i.i, 7
  %.683.2.i.i = icmp ne i64 %.680.2.i.i, 2
  %.687.not.2.i.i = icmp eq i64 %.542.i.i, %.79.i.i
  %or.cond332.2.i.i = select i1 %.683.2.i.i, i1 true, i1 %.687.not.2.i.i
  br i1 %or.cond332.2.i.i, label %B642.2.i.i, label %B568.2.i.i

B568.2.i.i:                                       ; preds = %B528.2.i.i, %B516.2.i.i
  %.25.i.2.i.i = load i64, ptr %.26.i.i, align 8, !noalias !9
  %.28.i.2.i.i = load i64, ptr %.29.i.i, align 8, !noalias !9
  %.34.i.2.i.i = inttoptr i64 %.25.i.2.i.i to ptr
  %.67.i.2.i.i = load i64, ptr %.66.i.i.i, align 8, !noalias !9
  %.70.i.2.i.i = load i64, ptr %.69.i.i.i, align 8, !noalias !9
  %.76.i.2.i.i = inttoptr i64 %.67.i.2.i.i to ptr
  %.105.i.2.i.i = load i64, ptr %.104.i.i.i, align 8, !noalias !9
  %.108.i.2.i.i = load i64, ptr %.107.i.i.i, align 8, !noalias !9
  %.114.i.2.i.i = inttoptr i64 %.105.i.2.i.i to ptr
  %.176.i.2.i.i = icmp slt i64 %.542.i.i, 0
  %.177.i.2.i.i = select i1 %.176.i.2.i.i, i64 %.28.i.2.i.i, i64 0
  %.178.i.2.i.i = add i64 %.177.i.2.i.i, %.542.i.i
  %.idx.i.2.i.i = shl i64 %.178.i.2.i.i, 6
  %37 = getelementptr i8, ptr %.34.i.2.i.i, i64 %.idx.i.2.i.i
  %.308.i.2.i.i = getelementptr i8, ptr %37, i64 24
  %.309.i.2.i.i = load i64, ptr %.308.i.2.i.i, align 8, !noalias !9
  %.3926.not.i.2.i.i = icmp slt i64 %.309.i.2.i.i, 1
  br i1 %.3926.not.i.2.i.i, label %B642.2.i.i, label %B322.if.lr.ph.i.2.i.i

B322.if.lr.ph.i.2.i.i:                            ; preds = %B568.2.i.i
  %.202.i.2.i.i = getelementptr i8, ptr %37, i64 16
  %.203.i.2.i.i = load i64, ptr %.202.i.2.i.i, align 8, !noalias !9
  br label %B322.if.i.2.i.i

B322.if.i.2.i.i:                                  ; preds = %B530.i.2.i.i, %B322.if.lr.ph.i.2.i.i
  %best.2.010.i.2.i.i = phi i64 [ -1, %B322.if.lr.ph.i.2.i.i ], [ %best.3.1.i.2.i.i, %B530.i.2.i.i ]
  %widest.2.09.i.2.i.i = phi i64 [ 47, %B322.if.lr.ph.i.2.i.i ], [ %widest.3.1.i.2.i.i, %B530.i.2.i.i ]
  %.334.08.i.2.i.i = phi i64 [ %.203.i.2.i.i, %B322.if.lr.ph.i.2.i.i ], [ %.405.i.2.i.i, %B530.i.2.i.i ]
  %.337.07.i.2.i.i = phi i64 [ %.309.i.2.i.i, %B322.if.lr.ph.i.2.i.i ], [ %.401.i.2.i.i, %B530.i.2.i.i ]
  %.447.i.2.i.i = icmp slt i64 %.334.08.i.2.i.i, 0
  %.448.i.2.i.i = select i1 %.447.i.2.i.i, i64 %.70.i.2.i.i, i64 0
  %38 = getelementptr i64, ptr %.76.i.2.i.i, i64 %.334.08.i.2.i.i
  %.462.i.2.i.i = getelementptr i64, ptr %38, i64 %.448.i.2.i.i
  %.463.i.2.i.i = load i64, ptr %.462.i.2.i.i, align 8, !noalias !9
  %.464.i.2.i.i = ashr i64 %.463.i.2.i.i, 32
  %.483.i.2.i.i = icmp slt i64 %.464.i.2.i.i, 0
  %.484.i.2.i.i = select i1 %.483.i.2.i.i, i64 %.108.i.2.i.i, i64 0
  %.485.i.2.i.i = add i64 %.484.i.2.i.i, %.464.i.2.i.i
  %.502.i.2.i.i = shl i64 %.485.i.2.i.i, 8
  %.504.i.2.i.i = getelementptr i8, ptr %.114.i.2.i.i, i64 %.502.i.2.i.i
  br label %B420.if.i.2.i.i

B420.if.i.2.i.i:                                  ; preds = %B420.if.i.2.i.i, %B322.if.i.2.i.i
  %width.2.15.i.2.i.i = phi i64 [ 0, %B322.if.i.2.i.i ], [ %.688.i.2.i.i.7, %B420.if.i.2.i.i ]
  %.562.03.i.2.i.i = phi i64 [ 0, %B322.if.i.2.i.i ], [ %.631.i.2.i.i.7, %B420.if.i.2.i.i ]
  %39 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %.685.i.2.i.i = load i8, ptr %39, align 1, !noalias !9
  %.687.i.2.i.i = zext i8 %.685.i.2.i.i to i64
  %.688.i.2.i.i = add nuw nsw i64 %width.2.15.i.2.i.i, %.687.i.2.i.i
  %40 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %41 = getelementptr i8, ptr %40, i64 1
  %.685.i.2.i.i.1 = load i8, ptr %41, align 1, !noalias !9
  %.687.i.2.i.i.1 = zext i8 %.685.i.2.i.i.1 to i64
  %.688.i.2.i.i.1 = add nuw nsw i64 %.688.i.2.i.i, %.687.i.2.i.i.1
  %42 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %43 = getelementptr i8, ptr %42, i64 2
  %.685.i.2.i.i.2 = load i8, ptr %43, align 1, !noalias !9
  %.687.i.2.i.i.2 = zext i8 %.685.i.2.i.i.2 to i64
  %.688.i.2.i.i.2 = add nuw nsw i64 %.688.i.2.i.i.1, %.687.i.2.i.i.2
  %44 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %45 = getelementptr i8, ptr %44, i64 3
  %.685.i.2.i.i.3 = load i8, ptr %45, align 1, !noalias !9
  %.687.i.2.i.i.3 = zext i8 %.685.i.2.i.i.3 to i64
  %.688.i.2.i.i.3 = add nuw nsw i64 %.688.i.2.i.i.2, %.687.i.2.i.i.3
  %46 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %47 = getelementptr i8, ptr %46, i64 4
  %.685.i.2.i.i.4 = load i8, ptr %47, align 1, !noalias !9
  %.687.i.2.i.i.4 = zext i8 %.685.i.2.i.i.4 to i64
  %.688.i.2.i.i.4 = add nuw nsw i64 %.688.i.2.i.i.3, %.687.i.2.i.i.4
  %48 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %49 = getelementptr i8, ptr %48, i64 5
  %.685.i.2.i.i.5 = load i8, ptr %49, align 1, !noalias !9
  %.687.i.2.i.i.5 = zext i8 %.685.i.2.i.i.5 to i64
  %.688.i.2.i.i.5 = add nuw nsw i64 %.688.i.2.i.i.4, %.687.i.2.i.i.5
  %50 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %51 = getelementptr i8, ptr %50, i64 6
  %.685.i.2.i.i.6 = load i8, ptr %51, align 1, !noalias !9
  %.687.i.2.i.i.6 = zext i8 %.685.i.2.i.i.6 to i64
  %.688.i.2.i.i.6 = add nuw nsw i64 %.688.i.2.i.i.5, %.687.i.2.i.i.6
  %.631.i.2.i.i.7 = add nuw nsw i64 %.562.03.i.2.i.i, 8
  %52 = getelementptr i8, ptr %.504.i.2.i.i, i64 %.562.03.i.2.i.i
  %53 = getelementptr i8, ptr %52, i64 7
  %.685.i.2.i.i.7 = load i8, ptr %53, align 1, !noalias !9
  %.687.i.2.i.i.7 = zext i8 %.685.i.2.i.i.7 to i64
  %.688.i.2.i.i.7 = add nuw nsw i64 %.688.i.2.i.i.6, %.687.i.2.i.i.7
  %exitcond.not.i.2.i.i.7 = icmp eq i64 %.631.i.2.i.i.7, 256
  br i1 %exitcond.not.i.2.i.i.7, label %B448.i.2.i.i, label %B420.if.i.2.i.i

B448.i.2.i.i:                                     ; preds = %B420.if.i.2.i.i
  %.401.i.2.i.i = add nsw i64 %.337.07.i.2.i.i, -1
  %.405.i.2.i.i = add i64 %.334.08.i.2.i.i, 1
  %.708.i.2.i.i = icmp sgt i64 %.688.i.2.i.i.7, %widest.2.09.i.2.i.i
  br i1 %.708.i.2.i.i, label %B460.i.2.i.i, label %B530.i.2.i.i

B460.i.2.i.i:                                     ; preds = %B448.i.2.i.i
  %.752.i.2.i.i = and i64 %.463.i.2.i.i, 4294967295
  %.19.not.i.i.2.i.i = icmp eq i64 %.752.i.2.i.i, 0
  br i1 %.19.not.i.i.2.i.i, label %B510.i.2.i.i, label %leaves.is_split.exit.i.2.i.i

leaves.is_split.exit.i.2.i.i:                     ; preds = %B460.i.2.i.i
  %.33.i.i.2.i.i = load i64, ptr %.19, align 8, !noalias !12
  %.36.i.i.2.i.i = load i64, ptr %.35.i.i.i.i, align 8, !noalias !12
  %.42.i.i.2.i.i = inttoptr i64 %.33.i.i.2.i.i to ptr
  %.75.i.i.2.i.i = load i64, ptr %.74.i.i.i.i, align 8, !noalias !12
  %.84.i.i.2.i.i = inttoptr i64 %.75.i.i.2.i.i to ptr
  %.164.idx.i.i.2.i.i = shl nuw nsw i64 %.752.i.2.i.i, 6
  %.164.i.i.2.i.i = getelementptr i8, ptr %.84.i.i.2.i.i, i64 %.164.idx.i.i.2.i.i
  %.165.i.i.2.i.i = load i64, ptr %.164.i.i.2.i.i, align 8, !noalias !12
  %.191.i.i.2.i.i = icmp slt i64 %.165.i.i.2.i.i, 0
  %.192.i.i.2.i.i = select i1 %.191.i.i.2.i.i, i64 %.36.i.i.2.i.i, i64 0
  %.193.i.i.2.i.i = add i64 %.192.i.i.2.i.i, %.165.i.i.2.i.i
  %.217.idx.i.i.2.i.i = shl i64 %.193.i.i.2.i.i, 6
  %.217.i.i.2.i.i = getelementptr i8, ptr %.42.i.i.2.i.i, i64 %.217.idx.i.i.2.i.i
  %.218.i.i.2.i.i = load i64, ptr %.217.i.i.2.i.i, align 8, !noalias !12
  %.219.i.not.i.2.i.i = icmp eq i64 %.218.i.i.2.i.i, 11
  br i1 %.219.i.not.i.2.i.i, label %B530.i.2.i.i, label %B510.i.2.i.i

B510.i.2.i.i:                                     ; preds = %leaves.is_split.exit.i.2.i.i, %B460.i.2.i.i
  br label %B530.i.2.i.i

B530.i.2.i.i:                                     ; preds = %B510.i.2.i.i, %leaves.is_split.exit.i.2.i.i, %B448.i.2.i.i
  %best.3.1.i.2.i.i = phi i64 [ %best.2.010.i.2.i.i, %leaves.is_split.exit.i.2.i.i ], [ %.463.i.2.i.i, %B510.i.2.i.i ], [ %best.2.010.i.2.i.i, %B448.i.2.i.i ]
  %widest.3.1.i.2.i.i = phi i64 [ %widest.2.09.i.2.i.i, %leaves.is_split.exit.i.2.i.i ], [ %.688.i.2.i.i.7, %B510.i.2.i.i ], [ %widest.2.09.i.2.i.i, %B448.i.2.i.i ]
  %.392.i.2.i.i = icmp ugt i64 %.337.07.i.2.i.i, 1
  br i1 %.392.i.2.i.i, label %B322.if.i.2.i.i, label %classes.widest_leaf.exit.2.i.i

classes.widest_leaf.exit.2.i.i:                   ; preds = %B530.i.2.i.i
  %.722.2.i.i = icmp sgt i64 %best.3.1.i.2.i.i, -1
  br i1 %.722.2.i.i, label %B274.thread.i, label %B642.2.i.i

B642.2.i.i:                                       ; preds = %classes.widest_leaf.exit.2.i.i, %B568.2.i.i, %B528.2.i.i
  %.747.not.i.i = icmp eq i64 %.79.i.i, %arg.x
  %.752.i.i = shl i64 %.200.i.i, 32
  %.756.i.i = or i64 %.752.i.i, %.79.i.i
  br i1 %.747.not.i.i, label %B274.thread.i, label %B206.endif.i

B0.endif.i.i:                                     ; preds = %B206.i
  %.fca.1.gep.i.i = getelementptr inbounds i8, ptr %.100.i.i, i64 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.100.i.i, i8 0, i64 16, i1 false), !noalias !5
  %.106.i.i = call fastcc i32 @classes.round_of(ptr %.100.i.i, ptr %excinfo.2.i.i, ptr nonnull %.19, i64 %arg.x)
  %.108.not.i.i = icmp eq i32 %.106.i.i, 0
  %.116.fca.0.load.i.i = load i64, ptr %.100.i.i, align 8, !noalias !5
  %.116.fca.1.load.i.i = load i64, ptr %.fca.1.gep.i.i, align 8, !noalias !5
  br i1 %.108.not.i.i, label %B0.endif.endif.i.i, label %B206.if.i, !prof !4

B0.endif.endif.i.i:                               ; preds = %B0.endif.i.i
  %.135.i.i = icmp eq i64 %.79.i.i, -3
  %.138.i.i = icmp eq i64 %.116.fca.1.load.i.i, -3
  %or.cond.i.i = select i1 %.135.i.i, i1 true, i1 %.138.i.i
  br i1 %or.cond.i.i, label %B206.endif.thread.i, label %B174.i.i

B442.endif.i.i:                                   ; preds = %B442.i.i
  %.658.i.i = icmp eq i64 %.644.i.i, -3
  br i1 %.658.i.i, label %B206.endif.thread.i, label %B516.i.i

B274.i:                                           ; preds = %B206.endif.i
  %.174.i = icmp sgt i64 %.756.i.i, -1
  br i1 %.174.i, label %B286.i, label %B322.i

B286.i:                                           ; preds = %B274.i
  %.183.i = shl i64 %.756.i.i, 4
  %.186.i = or i64 %.183.i, 7
  br label %B220.endif

B322.i:                                           ; preds = %B274.thread.i, %B274.i, %B148.i
  br i1 %.94.i, label %B334.i, label %B518.i

B334.i:                                           ; preds = %B322.i
  %.223.pre.i = load i64, ptr %.120, align 8, !noalias !0
  %54 = icmp eq i64 %.223.pre.i, 0
  br i1 %54, label %B368.i, label %B518.i

B368.i:                                           ; preds = %B334.i
  %.254.i = getelementptr i8, ptr %.19, i64 880
  %.255.i = load i64, ptr %.254.i, align 8, !noalias !0
  %.256.i = icmp sgt i64 %.255.i, -1
  br i1 %.256.i, label %B402.i, label %B518.i

B402.i:                                           ; preds = %B368.i
  store i64 0, ptr %.261.i, align 8, !noalias !0
  %.267.i = call fastcc i32 @classes.near_state(ptr %.261.i, ptr %excinfo.3.i, ptr nonnull %.19, i64 %arg.x)
  %.269.not.i = icmp eq i32 %.267.i, 0
  %.277.i = load i64, ptr %.261.i, align 8, !noalias !0
  br i1 %.269.not.i, label %B402.endif.i, label %B402.if.i, !prof !4

B470.i:                                           ; preds = %B402.endif.i
  %.304.i = icmp sgt i64 %.277.i, -1
  br i1 %.304.i, label %B482.i, label %B518.i

B482.i:                                           ; preds = %B470.i
  %.313.i = shl i64 %.277.i, 4
  %.316.i = or i64 %.313.i, 5
  br label %B220.endif

B518.i:                                           ; preds = %B470.i, %B368.i, %B334.i, %B322.i, %B172.i
  store i64 0, ptr %.325.i, align 8, !noalias !0
  %.331.i = call fastcc i32 @tokens.below(ptr %.325.i, ptr %excinfo.4.i, ptr %.19, i64 %arg.y, i64 %arg.x, i64 0, i64 0)
  %.333.not.i = icmp eq i32 %.331.i, 0
  %.341.i = load i64, ptr %.325.i, align 8, !noalias !0
  br i1 %.333.not.i, label %B518.endif.i, label %B518.if.i, !prof !4

B630.i:                                           ; preds = %B518.endif.i
  %.394.i = getelementptr i8, ptr %.19, i64 888
  %.395.i = load i64, ptr %.394.i, align 8, !noalias !0
  %.396.i = icmp sgt i64 %.395.i, -1
  br i1 %.396.i, label %B664.i, label %B1082.i

B664.i:                                           ; preds = %B630.i
  store i64 0, ptr %.432.i, align 8, !noalias !0
  %.438.i = call fastcc i32 @classes.loop_of(ptr %.432.i, ptr %excinfo.5.i, ptr nonnull %.19, i64 %.395.i)
  %.440.not.i = icmp eq i32 %.438.i, 0
  %.448.i = load i64, ptr %.432.i, align 8, !noalias !0
  br i1 %.440.not.i, label %B664.endif.i, label %B664.if.i, !prof !4

B740.i:                                           ; preds = %B664.endif.i
  store i64 1, ptr %.120, align 8, !noalias !15
  %.73.i.i = getelementptr i8, ptr %.19, i64 904
  store i64 0, ptr %.73.i.i, align 8, !noalias !15
  %.102.i.i = getelementptr i8, ptr %.19, i64 912
  store i64 %.341.i, ptr %.102.i.i, align 8, !noalias !15
  br label %B220.endif

B854.i:                                           ; preds = %B664.endif.i
  %.529.i = icmp sgt i64 %.448.i, -1
  br i1 %.529.i, label %B866.i, label %B902.i

B866.i:                                           ; preds = %B854.i
  %.538.i = shl i64 %.341.i, 4
  %.541.i = or i64 %.538.i, 4
  br label %B220.endif

B902.i:                                           ; preds = %B854.i
  %.573.i = load i64, ptr %.394.i, align 8, !noalias !0
  store i64 -1, ptr %.394.i, align 8, !noalias !0
  %.633.i = getelementptr i8, ptr %.19, i64 880
  %.634.i = load i64, ptr %.633.i, align 8, !noalias !0
  store i64 0, ptr %.637.i, align 8, !noalias !0
  %.643.i = call fastcc i32 @tokens.below(ptr %.637.i, ptr %excinfo.8.i, ptr nonnull %.19, i64 %.634.i, i64 %.573.i, i64 %.341.i, i64 0)
  %.645.not.i = icmp eq i32 %.643.i, 0
  br i1 %.645.not.i, label %B1046.i, label %B902.if.i, !prof !4

B1046.i:                                          ; preds = %B902.i
  %.653.i = load i64, ptr %.637.i, align 8, !noalias !0
  %.671.i = icmp eq i64 %.653.i, -3
  br i1 %.671.i, label %B220.endif, label %B1082.i

B1082.i:                                          ; preds = %B1046.i, %B630.i
  %n.2.011.i = phi i64 [ %.653.i, %B1046.i ], [ %.341.i, %B630.i ]
  %.693.i = getelementptr i8, ptr %.19, i64 120
  %.694.i = load i64, ptr %.693.i, align 8, !noalias !0
  %.696.i = getelementptr i8, ptr %.19, i64 136
  %.697.i = load i64, ptr %.696.i, align 8, !noalias !0
  %.703.i = inttoptr i64 %.694.i to ptr
  %.757.i = icmp slt i64 %arg.x, 0
  %.758.i = select i1 %.757.i, i64 %.697.i, i64 0
  %.759.i = add i64 %.758.i, %arg.x
  %.idx.i = shl i64 %.759.i, 6
  %55 = getelementptr i8, ptr %.703.i, i64 %.idx.i
  %.783.i = getelementptr i8, ptr %55, i64 32
  %.784.i = load i64, ptr %.783.i, align 8, !noalias !0
  %56 = shl i64 %n.2.011.i, 5
  %.785.i = shl i64 %.784.i, 4
  %57 = and i64 %.785.i, 16
  %.787.i = or i64 %57, %56
  br label %B220.endif

B0.if.i:                                          ; preds = %B220
  %.31.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !0
  br label %B220.if

B0.endif.i:                                       ; preds = %B220
  %.56.i = icmp eq i64 %.40.i, -3
  br i1 %.56.i, label %B220.endif, label %B72.i

B206.if.i:                                        ; preds = %B0.endif.i.i, %B442.2.i.i, %B442.1.i.i, %B442.i.i, %B174.i.i, %B206.i
  %excinfo.2.0.in.i = phi ptr [ %excinfo.1.i.i, %B206.i ], [ %excinfo.4.i.i, %B174.i.i ], [ %excinfo.2.i.i, %B0.endif.i.i ], [ %excinfo.5.i.i, %B442.2.i.i ], [ %excinfo.5.i.i, %B442.1.i.i ], [ %excinfo.5.i.i, %B442.i.i ]
  %excinfo.2.0.i = load ptr, ptr %excinfo.2.0.in.i, align 8, !noalias !5
  br label %B220.if

B206.endif.thread.i:                              ; preds = %B442.endif.i.i, %B0.endif.endif.i.i, %B442.endif.2.i.i, %B442.endif.1.i.i, %B234.i.i
  br label %B220.endif

B274.thread.i:                                    ; preds = %B642.2.i.i, %classes.widest_leaf.exit.2.i.i, %classes.widest_leaf.exit.1.i.i, %classes.widest_leaf.exit.i.i
  br label %B322.i

B206.endif.i:                                     ; preds = %B642.2.i.i
  %.161.i = icmp eq i64 %.756.i.i, -3
  br i1 %.161.i, label %B220.endif, label %B274.i

B402.if.i:                                        ; preds = %B402.i
  %.268.i = load ptr, ptr %excinfo.3.i, align 8, !noalias !0
  br label %B220.if

B402.endif.i:                                     ; preds = %B402.i
  %.291.i = icmp eq i64 %.277.i, -3
  br i1 %.291.i, label %B220.endif, label %B470.i

B518.if.i:                                        ; preds = %B518.i
  %.332.i = load ptr, ptr %excinfo.4.i, align 8, !noalias !0
  br label %B220.if

B518.endif.i:                                     ; preds = %B518.i
  %.361.not.i = icmp eq i64 %.341.i, -3
  br i1 %.361.not.i, label %B220.endif, label %B630.i

B664.if.i:                                        ; preds = %B664.i
  %.439.i = load ptr, ptr %excinfo.5.i, align 8, !noalias !0
  br label %B220.if

B664.endif.i:                                     ; preds = %B664.i
  %.462.i = icmp eq i64 %.448.i, -3
  br i1 %.462.i, label %B740.i, label %B854.i

B902.if.i:                                        ; preds = %B902.i
  %.644.i = load ptr, ptr %excinfo.8.i, align 8, !noalias !0
  br label %B220.if

B254:                                             ; preds = %B198
  %.201 = icmp sgt i64 %arg.request, 7
  br i1 %.201, label %B276, label %B338

B276:                                             ; preds = %B254
  store i64 0, ptr %.33.i, align 8, !noalias !18
  store ptr null, ptr %excinfo.1.i132, align 8, !noalias !18
  store i64 0, ptr %.78.i, align 8, !noalias !18
  store ptr null, ptr %excinfo.2.i, align 8, !noalias !18
  switch i64 %arg.request, label %.thread [
    i64 8, label %B26.i
    i64 9, label %B138.i
    i64 10, label %B250.i
    i64 14, label %B304.i
    i64 11, label %B360.i
    i64 12, label %B414.i
    i64 15, label %B470.i137
    i64 13, label %B526.i
  ]

.thread:                                          ; preds = %B276
  br label %679

B26.i:                                            ; preds = %B276
  %.39.i = call fastcc i32 @tokens.below(ptr %.33.i, ptr %excinfo.1.i132, ptr nonnull %.19, i64 %arg.y, i64 %arg.x, i64 0, i64 0)
  %.41.not.i = icmp eq i32 %.39.i, 0
  br i1 %.41.not.i, label %B26.endif.i, label %B26.if.i, !prof !4

B138.i:                                           ; preds = %B276
  %.84.i = call fastcc i32 @tokens.below(ptr %.78.i, ptr %excinfo.2.i, ptr nonnull %.19, i64 %arg.y, i64 %arg.x, i64 0, i64 1)
  %.86.not.i = icmp eq i32 %.84.i, 0
  br i1 %.86.not.i, label %B138.endif.i, label %B138.if.i, !prof !4

B250.i:                                           ; preds = %B276
  store ptr null, ptr %excinfo.1.i.i130, align 8, !noalias !22
  store ptr null, ptr %excinfo.2.i.i131, align 8, !noalias !22
  store i64 0, ptr %.1732.i.i, align 8, !noalias !22
  store ptr null, ptr %excinfo.3.i.i, align 8, !noalias !22
  store i64 0, ptr %.4963.i.i, align 8, !noalias !22
  store ptr null, ptr %excinfo.6.i.i, align 8, !noalias !22
  store i64 0, ptr %.5007.i.i, align 8, !noalias !22
  store ptr null, ptr %excinfo.7.i.i, align 8, !noalias !22
  store i64 0, ptr %.5518.i.i, align 8, !noalias !22
  store ptr null, ptr %excinfo.10.i.i, align 8, !noalias !22
  %.26.i.i160 = getelementptr i8, ptr %.19, i64 120
  %.27.i.i161 = load i64, ptr %.26.i.i160, align 8, !noalias !22
  %.29.i.i162 = getelementptr i8, ptr %.19, i64 136
  %.30.i.i163 = load i64, ptr %.29.i.i162, align 8, !noalias !22
  %.36.i.i164 = inttoptr i64 %.27.i.i161 to ptr
  %.68.i.i = getelementptr i8, ptr %.19, i64 96
  %.69.i.i165 = load i64, ptr %.68.i.i, align 8, !noalias !22
  %.71.i.i = getelementptr i8, ptr %.19, i64 112
  %.72.i.i = load i64, ptr %.71.i.i, align 8, !noalias !22
  %.78.i.i = inttoptr i64 %.69.i.i165 to ptr
  %.106.i.i166 = getelementptr i8, ptr %.19, i64 192
  %.107.i.i = load i64, ptr %.106.i.i166, align 8, !noalias !22
  %.109.i.i = getelementptr i8, ptr %.19, i64 208
  %.110.i.i = load i64, ptr %.109.i.i, align 8, !noalias !22
  %.116.i.i = inttoptr i64 %.107.i.i to ptr
  %.157.i.i = getelementptr i8, ptr %.19, i64 360
  %.158.i.i = load i64, ptr %.157.i.i, align 8, !noalias !22
  %.160.i.i = getelementptr i8, ptr %.19, i64 376
  %.161.i.i = load i64, ptr %.160.i.i, align 8, !noalias !22
  %.167.i.i = inttoptr i64 %.158.i.i to ptr
  %.195.i.i = getelementptr i8, ptr %.19, i64 384
  %.196.i.i = load i64, ptr %.195.i.i, align 8, !noalias !22
  %.198.i.i = getelementptr i8, ptr %.19, i64 400
  %.199.i.i = load i64, ptr %.198.i.i, align 8, !noalias !22
  %.205.i.i = inttoptr i64 %.196.i.i to ptr
  %.233.i.i = getelementptr i8, ptr %.19, i64 624
  %.234.i.i = load i64, ptr %.233.i.i, align 8, !noalias !22
  %.243.i.i = inttoptr i64 %.234.i.i to ptr
  %.280.i.i = getelementptr i8, ptr %.19, i64 648
  %.281.i.i = load i64, ptr %.280.i.i, align 8, !noalias !22
  %.290.i.i = inttoptr i64 %.281.i.i to ptr
  %.318.i.i = getelementptr i8, ptr %.19, i64 672
  %.319.i.i = load i64, ptr %.318.i.i, align 8, !noalias !22
  %.321.i.i = getelementptr i8, ptr %.19, i64 688
  %.322.i.i = load i64, ptr %.321.i.i, align 8, !noalias !22
  %.328.i.i = inttoptr i64 %.319.i.i to ptr
  %.356.i.i = getelementptr i8, ptr %.19, i64 696
  %.357.i.i = load i64, ptr %.356.i.i, align 8, !noalias !22
  %.359.i.i = getelementptr i8, ptr %.19, i64 712
  %.360.i.i = load i64, ptr %.359.i.i, align 8, !noalias !22
  %.366.i.i167 = inttoptr i64 %.357.i.i to ptr
  %.403.i.i = getelementptr i8, ptr %.19, i64 480
  %.404.i.i = load i64, ptr %.403.i.i, align 8, !noalias !22
  %.406.i.i = getelementptr i8, ptr %.19, i64 496
  %.407.i.i = load i64, ptr %.406.i.i, align 8, !noalias !22
  %.413.i.i = inttoptr i64 %.404.i.i to ptr
  %.441.i.i = getelementptr i8, ptr %.19, i64 504
  %.442.i.i = load i64, ptr %.441.i.i, align 8, !noalias !22
  %.444.i.i = getelementptr i8, ptr %.19, i64 520
  %.445.i.i = load i64, ptr %.444.i.i, align 8, !noalias !22
  %.451.i.i = inttoptr i64 %.442.i.i to ptr
  %.479.i.i = getelementptr i8, ptr %.19, i64 456
  %.480.i.i = load i64, ptr %.479.i.i, align 8, !noalias !22
  %.482.i.i = getelementptr i8, ptr %.19, i64 472
  %.483.i.i = load i64, ptr %.482.i.i, align 8, !noalias !22
  %.489.i.i = inttoptr i64 %.480.i.i to ptr
  %.526.i.i = getelementptr i8, ptr %.19, i64 744
  %.527.i.i = load i64, ptr %.526.i.i, align 8, !noalias !22
  %.536.i.i = inttoptr i64 %.527.i.i to ptr
  %.564.i.i = getelementptr i8, ptr %.19, i64 600
  %.565.i.i = load i64, ptr %.564.i.i, align 8, !noalias !22
  %.567.i.i = getelementptr i8, ptr %.19, i64 616
  %.568.i.i = load i64, ptr %.567.i.i, align 8, !noalias !22
  %.574.i.i = inttoptr i64 %.565.i.i to ptr
  store i64 0, ptr %.603.i.i, align 8, !noalias !22
  %.609.i.i = call fastcc i32 @classes.loop_of(ptr %.603.i.i, ptr %excinfo.1.i.i130, ptr nonnull %.19, i64 %arg.x)
  %.611.not.i.i = icmp eq i32 %.609.i.i, 0
  %.619.i.i = load i64, ptr %.603.i.i, align 8, !noalias !22
  br i1 %.611.not.i.i, label %B0.endif.i.i168, label %B0.if.i.i, !prof !4

B774.i.i:                                         ; preds = %B694.endif.i.i
  %.810.i.i = ashr i64 %.75165.i.i, 3
  %.813.i.i = icmp eq i64 %.810.i.i, %.812.i.i
  br i1 %.813.i.i, label %B798.i.i, label %B870.i.i

B798.i.i:                                         ; preds = %B774.i.i
  %58 = and i64 %.75165.i.i, 3
  %"$phi852.0.3.1.i.i" = icmp ne i64 %58, 2
  %.842.i.i = icmp ne i64 %reach.2.063.i.i, %.660.i.i
  %brmerge.not.i.i = and i1 %.842.i.i, %"$phi852.0.3.1.i.i"
  br i1 %brmerge.not.i.i, label %B872.i.i, label %B870.split.loop.exit54.i.i

B870.split.loop.exit54.i.i:                       ; preds = %B798.i.i
  %"$phi852.0.3.1.not.le.i.i" = xor i1 %"$phi852.0.3.1.i.i", true
  br label %B870.i.i

B870.i.i:                                         ; preds = %B774.i.i, %B870.split.loop.exit54.i.i
  %"$phi852.0.3.1.not6.i.i" = phi i1 [ %"$phi852.0.3.1.not.le.i.i", %B870.split.loop.exit54.i.i ], [ true, %B774.i.i ]
  %"$phi852.0.3.15.i.i" = phi i1 [ %"$phi852.0.3.1.i.i", %B870.split.loop.exit54.i.i ], [ false, %B774.i.i ]
  %.1002.i.i = getelementptr i8, ptr %.19, i64 872
  store i64 %reach.2.063.i.i, ptr %.1002.i.i, align 8, !noalias !22
  %.1192.i.i = icmp slt i64 %.199.i.i, 1
  br i1 %.1192.i.i, label %B1010.if.lr.ph.i.i, label %B938.endif.else.endif.endif.endif.i.i, !prof !26

B872.i.i:                                         ; preds = %B798.i.i
  %.881.i.i = load i64, ptr %.73264.i.i, align 8, !noalias !22
  %.908.i.i = icmp slt i64 %.881.i.i, 0
  %.909.i.i = select i1 %.908.i.i, i64 %.30.i.i163, i64 0
  %.910.i.i = add i64 %.909.i.i, %.881.i.i
  %.idx.i.i174 = shl i64 %.910.i.i, 6
  %59 = getelementptr i8, ptr %.36.i.i164, i64 %.idx.i.i174
  %.934.i.i = getelementptr i8, ptr %59, i64 56
  %.935.i.i = load i64, ptr %.934.i.i, align 8, !noalias !22
  %.937.i.i = add nuw nsw i64 %reach.2.063.i.i, 1
  %.966.i.i = getelementptr i64, ptr %.167.i.i, i64 %.937.i.i
  store i64 %.935.i.i, ptr %.966.i.i, align 8, !noalias !22
  store i64 0, ptr %.735.i.i, align 8, !noalias !22
  %.741.i.i = call fastcc i32 @classes.loop_of(ptr %.735.i.i, ptr %excinfo.2.i.i131, ptr %.19, i64 %.935.i.i)
  %.743.not.i.i = icmp eq i32 %.741.i.i, 0
  br i1 %.743.not.i.i, label %B694.endif.i.i, label %B694.if.i.i, !prof !27

B1048.i.i:                                        ; preds = %B1010.if.i.i
  %.1480.i.i = getelementptr i64, ptr %.167.i.i, i64 %.1330.080.i.i
  %.1481.i.i = load i64, ptr %.1480.i.i, align 8, !noalias !22
  %.1512.i.i = getelementptr i8, ptr %.1480.i.i, i64 -8
  %.1513.i.i = load i64, ptr %.1512.i.i, align 8, !noalias !22
  %.1514.i.i = icmp eq i64 %.1481.i.i, %.1513.i.i
  br i1 %.1514.i.i, label %B3695.i.i, label %B1090.i.i

B1090.i.i:                                        ; preds = %B1048.i.i
  %.1573.i.i = icmp slt i64 %.1481.i.i, 0
  %.1574.i.i = select i1 %.1573.i.i, i64 %.30.i.i163, i64 0
  %.1575.i.i = add i64 %.1574.i.i, %.1481.i.i
  %.idx3276.i.i = shl i64 %.1575.i.i, 6
  %60 = getelementptr i8, ptr %.36.i.i164, i64 %.idx3276.i.i
  %.1599.i.i = getelementptr i8, ptr %60, i64 48
  %.1600.i.i = load i64, ptr %.1599.i.i, align 8, !noalias !22
  %.1601.i.i = and i64 %.1600.i.i, 1
  %.1602.i.i = icmp eq i64 %.1601.i.i, 0
  br i1 %.1602.i.i, label %B3695.i.i, label %B1158.i.i

B1158.i.i:                                        ; preds = %B1010.if.i.i, %B1090.i.i
  br i1 %spec.select.i.i, label %B1264.i.i, label %B1162.i.i

B1162.i.i:                                        ; preds = %B1158.i.i
  %61 = getelementptr i64, ptr %.167.i.i, i64 %.1330.080.i.i
  %.1641.i.i = load i64, ptr %61, align 8, !noalias !22
  %.1668.i.i = icmp slt i64 %.1641.i.i, 0
  %.1669.i.i = select i1 %.1668.i.i, i64 %.30.i.i163, i64 0
  %.1670.i.i = add i64 %.1669.i.i, %.1641.i.i
  %.idx3277.i.i = shl i64 %.1670.i.i, 6
  %62 = getelementptr i8, ptr %.36.i.i164, i64 %.idx3277.i.i
  %.1694.i.i = getelementptr i8, ptr %62, i64 48
  %.1695.i.i = load i64, ptr %.1694.i.i, align 8, !noalias !22
  %.1696.i.i = and i64 %.1695.i.i, 2
  %.1697.not.i.i = icmp eq i64 %.1696.i.i, 0
  br i1 %.1697.not.i.i, label %B1264.i.i, label %B1220.i.i

B1220.i.i:                                        ; preds = %B1162.i.i
  store i64 0, ptr %.1732.i.i, align 8, !noalias !22
  %.1738.i.i = call fastcc i32 @classes.aside(ptr %.1732.i.i, ptr %excinfo.3.i.i, ptr %.19, i64 %.1641.i.i)
  %.1740.not.i.i = icmp eq i32 %.1738.i.i, 0
  br i1 %.1740.not.i.i, label %B1278.i.i, label %B1220.if.i.i, !prof !4

B1264.i.i:                                        ; preds = %B1162.i.i, %B1158.i.i
  %63 = getelementptr i64, ptr %.167.i.i, i64 %.1330.080.i.i
  br label %B1278.i.i

B1278.i.i:                                        ; preds = %B1264.i.i, %B1220.i.i
  %"$phi1278.1.2.2.in.i.i" = phi ptr [ %63, %B1264.i.i ], [ %.1732.i.i, %B1220.i.i ]
  %"$phi1278.1.2.2.i.i" = load i64, ptr %"$phi1278.1.2.2.in.i.i", align 8, !noalias !22
  %.1803.i.i = icmp eq i64 %"$phi1278.1.2.2.i.i", -3
  br i1 %.1803.i.i, label %B250.endif.i, label %B1320.i.i

B1320.i.i:                                        ; preds = %B1278.i.i
  %64 = getelementptr i64, ptr %.167.i.i, i64 %.1330.080.i.i
  %.1883.i.i = load i64, ptr %64, align 8, !noalias !22
  %.1910.i.i = icmp slt i64 %.1883.i.i, 0
  %.1911.i.i = select i1 %.1910.i.i, i64 %.30.i.i163, i64 0
  %.1912.i.i = add i64 %.1911.i.i, %.1883.i.i
  %.idx35.i.i = shl i64 %.1912.i.i, 6
  %65 = getelementptr i8, ptr %.36.i.i164, i64 %.idx35.i.i
  %.2106.i.i = getelementptr i8, ptr %65, i64 24
  %.2107.i.i = load i64, ptr %.2106.i.i, align 8, !noalias !22
  %.218870.not.i.i = icmp slt i64 %.2107.i.i, 1
  br i1 %.218870.not.i.i, label %B1720.i.i, label %B1472.if.preheader.i.i

B1472.if.preheader.i.i:                           ; preds = %B1320.i.i
  %.1936.i.i = getelementptr i8, ptr %65, i64 16
  %.1937.i.i = load i64, ptr %.1936.i.i, align 8, !noalias !22
  br i1 %spec.select.i.i, label %B1472.if.i.us.i, label %B1472.if.i.i

B1472.if.i.us.i:                                  ; preds = %B1472.if.preheader.i.i, %B1472.loopexit.i.loopexit.us.i
  %.2132.072.i.us.i = phi i64 [ %.2201.i.us.i, %B1472.loopexit.i.loopexit.us.i ], [ %.1937.i.i, %B1472.if.preheader.i.i ]
  %.2135.071.i.us.i = phi i64 [ %.2197.i.us.i, %B1472.loopexit.i.loopexit.us.i ], [ %.2107.i.i, %B1472.if.preheader.i.i ]
  %.2239.i.us.i = icmp slt i64 %.2132.072.i.us.i, 0
  %.2240.i.us.i = select i1 %.2239.i.us.i, i64 %.72.i.i, i64 0
  %66 = getelementptr i64, ptr %.78.i.i, i64 %.2132.072.i.us.i
  %.2254.i.us.i = getelementptr i64, ptr %66, i64 %.2240.i.us.i
  %.2255.i.us.i = load i64, ptr %.2254.i.us.i, align 8, !noalias !22
  %.2256.i.us.i = ashr i64 %.2255.i.us.i, 32
  %.2275.i.us.i = icmp slt i64 %.2256.i.us.i, 0
  %.2276.i.us.i = select i1 %.2275.i.us.i, i64 %.110.i.i, i64 0
  %.2277.i.us.i = add i64 %.2276.i.us.i, %.2256.i.us.i
  %.2294.i.us.i = shl i64 %.2277.i.us.i, 8
  %.2296.i.us.i = getelementptr i8, ptr %.116.i.i, i64 %.2294.i.us.i
  %.85.i.i.us.i = getelementptr i8, ptr %.2296.i.us.i, i64 92
  %.86.i.i.us.i = load i8, ptr %.85.i.i.us.i, align 1, !noalias !28
  %.56.i.i.us.i = load i8, ptr %.55.i.i.i, align 1, !noalias !28
  %.89104.i.i.us.i = and i8 %.86.i.i.us.i, %.56.i.i.us.i
  %.89.i.i.us.i = zext i8 %.89104.i.i.us.i to i64
  %.94.i.i.us.i = and i64 %.2333.i.i, %.89.i.i.us.i
  %67 = insertelement <2 x i64> <i64 poison, i64 0>, i64 %.94.i.i.us.i, i64 0
  br label %vector.body703

vector.body703:                                   ; preds = %vector.body703, %B1472.if.i.us.i
  %index704 = phi i64 [ 0, %B1472.if.i.us.i ], [ %index.next710.1, %vector.body703 ]
  %vec.phi = phi <2 x i64> [ %67, %B1472.if.i.us.i ], [ %86, %vector.body703 ]
  %vec.phi705 = phi <2 x i64> [ zeroinitializer, %B1472.if.i.us.i ], [ %87, %vector.body703 ]
  %offset.idx = add nuw nsw i64 %index704, 128
  %68 = getelementptr i8, ptr %.243.i.i, i64 %offset.idx
  %69 = getelementptr i8, ptr %68, i64 2
  %wide.load706 = load <2 x i8>, ptr %68, align 1, !noalias !28
  %wide.load707 = load <2 x i8>, ptr %69, align 1, !noalias !28
  %70 = getelementptr i8, ptr %.2296.i.us.i, i64 %offset.idx
  %71 = getelementptr i8, ptr %70, i64 2
  %wide.load708 = load <2 x i8>, ptr %70, align 1, !noalias !28
  %wide.load709 = load <2 x i8>, ptr %71, align 1, !noalias !28
  %72 = and <2 x i8> %wide.load708, %wide.load706
  %73 = and <2 x i8> %wide.load709, %wide.load707
  %74 = zext <2 x i8> %72 to <2 x i64>
  %75 = zext <2 x i8> %73 to <2 x i64>
  %76 = or <2 x i64> %vec.phi, %74
  %77 = or <2 x i64> %vec.phi705, %75
  %offset.idx.1 = add nuw nsw i64 %index704, 132
  %78 = getelementptr i8, ptr %.243.i.i, i64 %offset.idx.1
  %79 = getelementptr i8, ptr %78, i64 2
  %wide.load706.1 = load <2 x i8>, ptr %78, align 1, !noalias !28
  %wide.load707.1 = load <2 x i8>, ptr %79, align 1, !noalias !28
  %80 = getelementptr i8, ptr %.2296.i.us.i, i64 %offset.idx.1
  %81 = getelementptr i8, ptr %80, i64 2
  %wide.load708.1 = load <2 x i8>, ptr %80, align 1, !noalias !28
  %wide.load709.1 = load <2 x i8>, ptr %81, align 1, !noalias !28
  %82 = and <2 x i8> %wide.load708.1, %wide.load706.1
  %83 = and <2 x i8> %wide.load709.1, %wide.load707.1
  %84 = zext <2 x i8> %82 to <2 x i64>
  %85 = zext <2 x i8> %83 to <2 x i64>
  %86 = or <2 x i64> %76, %84
  %87 = or <2 x i64> %77, %85
  %index.next710.1 = add nuw nsw i64 %index704, 8
  %88 = icmp eq i64 %index.next710.1, 128
  br i1 %88, label %classes.meet_longer.exit.i.us.i, label %vector.body703, !llvm.loop !31

classes.meet_longer.exit.i.us.i:                  ; preds = %vector.body703
  %bin.rdx = or <2 x i64> %87, %86
  %89 = tail call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %bin.rdx)
  %.2197.i.us.i = add nsw i64 %.2135.071.i.us.i, -1
  %.2201.i.us.i = add i64 %.2132.072.i.us.i, 1
  %.296.i.not.i.us.i = icmp eq i64 %89, 0
  br i1 %.296.i.not.i.us.i, label %vector.memcheck685, label %B250.endif.i

vector.memcheck685:                               ; preds = %classes.meet_longer.exit.i.us.i
  %scevgep687 = getelementptr i8, ptr %scevgep686, i64 %.2294.i.us.i
  %bound0688 = icmp ugt ptr %scevgep687, %.205.i.i
  %bound1689 = icmp ult ptr %.2296.i.us.i, %scevgep669
  %found.conflict690 = and i1 %bound0688, %bound1689
  br i1 %found.conflict690, label %B1612.if.us.i.us.i, label %vector.body693

vector.body693:                                   ; preds = %vector.memcheck685
  %wide.load695 = load <16 x i8>, ptr %.205.i.i, align 1, !alias.scope !34, !noalias !37
  %wide.load696 = load <16 x i8>, ptr %199, align 1, !alias.scope !34, !noalias !37
  %90 = getelementptr i8, ptr %.2296.i.us.i, i64 16
  %wide.load697 = load <16 x i8>, ptr %.2296.i.us.i, align 1, !alias.scope !39, !noalias !22
  %wide.load698 = load <16 x i8>, ptr %90, align 1, !alias.scope !39, !noalias !22
  %91 = and <16 x i8> %wide.load697, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %92 = and <16 x i8> %wide.load698, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %93 = or <16 x i8> %91, %wide.load695
  %94 = or <16 x i8> %92, %wide.load696
  store <16 x i8> %93, ptr %.205.i.i, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %94, ptr %199, align 1, !alias.scope !34, !noalias !37
  %wide.load695.1 = load <16 x i8>, ptr %200, align 1, !alias.scope !34, !noalias !37
  %wide.load696.1 = load <16 x i8>, ptr %201, align 1, !alias.scope !34, !noalias !37
  %95 = getelementptr i8, ptr %.2296.i.us.i, i64 32
  %96 = getelementptr i8, ptr %.2296.i.us.i, i64 48
  %wide.load697.1 = load <16 x i8>, ptr %95, align 1, !alias.scope !39, !noalias !22
  %wide.load698.1 = load <16 x i8>, ptr %96, align 1, !alias.scope !39, !noalias !22
  %97 = and <16 x i8> %wide.load697.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %98 = and <16 x i8> %wide.load698.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %99 = or <16 x i8> %97, %wide.load695.1
  %100 = or <16 x i8> %98, %wide.load696.1
  store <16 x i8> %99, ptr %200, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %100, ptr %201, align 1, !alias.scope !34, !noalias !37
  %wide.load695.2 = load <16 x i8>, ptr %202, align 1, !alias.scope !34, !noalias !37
  %wide.load696.2 = load <16 x i8>, ptr %203, align 1, !alias.scope !34, !noalias !37
  %101 = getelementptr i8, ptr %.2296.i.us.i, i64 64
  %102 = getelementptr i8, ptr %.2296.i.us.i, i64 80
  %wide.load697.2 = load <16 x i8>, ptr %101, align 1, !alias.scope !39, !noalias !22
  %wide.load698.2 = load <16 x i8>, ptr %102, align 1, !alias.scope !39, !noalias !22
  %103 = and <16 x i8> %wide.load697.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %104 = and <16 x i8> %wide.load698.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %105 = or <16 x i8> %103, %wide.load695.2
  %106 = or <16 x i8> %104, %wide.load696.2
  store <16 x i8> %105, ptr %202, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %106, ptr %203, align 1, !alias.scope !34, !noalias !37
  %wide.load695.3 = load <16 x i8>, ptr %204, align 1, !alias.scope !34, !noalias !37
  %wide.load696.3 = load <16 x i8>, ptr %205, align 1, !alias.scope !34, !noalias !37
  %107 = getelementptr i8, ptr %.2296.i.us.i, i64 96
  %108 = getelementptr i8, ptr %.2296.i.us.i, i64 112
  %wide.load697.3 = load <16 x i8>, ptr %107, align 1, !alias.scope !39, !noalias !22
  %wide.load698.3 = load <16 x i8>, ptr %108, align 1, !alias.scope !39, !noalias !22
  %109 = and <16 x i8> %wide.load697.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %110 = and <16 x i8> %wide.load698.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %111 = or <16 x i8> %109, %wide.load695.3
  %112 = or <16 x i8> %110, %wide.load696.3
  store <16 x i8> %111, ptr %204, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %112, ptr %205, align 1, !alias.scope !34, !noalias !37
  %wide.load695.4 = load <16 x i8>, ptr %206, align 1, !alias.scope !34, !noalias !37
  %wide.load696.4 = load <16 x i8>, ptr %207, align 1, !alias.scope !34, !noalias !37
  %113 = getelementptr i8, ptr %.2296.i.us.i, i64 128
  %114 = getelementptr i8, ptr %.2296.i.us.i, i64 144
  %wide.load697.4 = load <16 x i8>, ptr %113, align 1, !alias.scope !39, !noalias !22
  %wide.load698.4 = load <16 x i8>, ptr %114, align 1, !alias.scope !39, !noalias !22
  %115 = and <16 x i8> %wide.load697.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %116 = and <16 x i8> %wide.load698.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %117 = or <16 x i8> %115, %wide.load695.4
  %118 = or <16 x i8> %116, %wide.load696.4
  store <16 x i8> %117, ptr %206, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %118, ptr %207, align 1, !alias.scope !34, !noalias !37
  %wide.load695.5 = load <16 x i8>, ptr %208, align 1, !alias.scope !34, !noalias !37
  %wide.load696.5 = load <16 x i8>, ptr %209, align 1, !alias.scope !34, !noalias !37
  %119 = getelementptr i8, ptr %.2296.i.us.i, i64 160
  %120 = getelementptr i8, ptr %.2296.i.us.i, i64 176
  %wide.load697.5 = load <16 x i8>, ptr %119, align 1, !alias.scope !39, !noalias !22
  %wide.load698.5 = load <16 x i8>, ptr %120, align 1, !alias.scope !39, !noalias !22
  %121 = and <16 x i8> %wide.load697.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %122 = and <16 x i8> %wide.load698.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %123 = or <16 x i8> %121, %wide.load695.5
  %124 = or <16 x i8> %122, %wide.load696.5
  store <16 x i8> %123, ptr %208, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %124, ptr %209, align 1, !alias.scope !34, !noalias !37
  %wide.load695.6 = load <16 x i8>, ptr %210, align 1, !alias.scope !34, !noalias !37
  %wide.load696.6 = load <16 x i8>, ptr %211, align 1, !alias.scope !34, !noalias !37
  %125 = getelementptr i8, ptr %.2296.i.us.i, i64 192
  %126 = getelementptr i8, ptr %.2296.i.us.i, i64 208
  %wide.load697.6 = load <16 x i8>, ptr %125, align 1, !alias.scope !39, !noalias !22
  %wide.load698.6 = load <16 x i8>, ptr %126, align 1, !alias.scope !39, !noalias !22
  %127 = and <16 x i8> %wide.load697.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %128 = and <16 x i8> %wide.load698.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %129 = or <16 x i8> %127, %wide.load695.6
  %130 = or <16 x i8> %128, %wide.load696.6
  store <16 x i8> %129, ptr %210, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %130, ptr %211, align 1, !alias.scope !34, !noalias !37
  %wide.load695.7 = load <16 x i8>, ptr %212, align 1, !alias.scope !34, !noalias !37
  %wide.load696.7 = load <16 x i8>, ptr %213, align 1, !alias.scope !34, !noalias !37
  %131 = getelementptr i8, ptr %.2296.i.us.i, i64 224
  %132 = getelementptr i8, ptr %.2296.i.us.i, i64 240
  %wide.load697.7 = load <16 x i8>, ptr %131, align 1, !alias.scope !39, !noalias !22
  %wide.load698.7 = load <16 x i8>, ptr %132, align 1, !alias.scope !39, !noalias !22
  %133 = and <16 x i8> %wide.load697.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %134 = and <16 x i8> %wide.load698.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %135 = or <16 x i8> %133, %wide.load695.7
  %136 = or <16 x i8> %134, %wide.load696.7
  store <16 x i8> %135, ptr %212, align 1, !alias.scope !34, !noalias !37
  store <16 x i8> %136, ptr %213, align 1, !alias.scope !34, !noalias !37
  br label %B1472.loopexit.i.loopexit.us.i

B1612.if.us.i.us.i:                               ; preds = %vector.memcheck685, %B1612.if.us.i.us.i
  %.2449.068.us.i.us.i = phi i64 [ %.2518.us.i.us.i.1, %B1612.if.us.i.us.i ], [ 0, %vector.memcheck685 ]
  %.2518.us.i.us.i = or i64 %.2449.068.us.i.us.i, 1
  %137 = getelementptr i8, ptr %.205.i.i, i64 %.2449.068.us.i.us.i
  %.2572.us.i.us.i = load i8, ptr %137, align 1, !noalias !22
  %.2601.us.i.us.i = getelementptr i8, ptr %.2296.i.us.i, i64 %.2449.068.us.i.us.i
  %.2602.us.i.us.i = load i8, ptr %.2601.us.i.us.i, align 1, !noalias !22
  %138 = and i8 %.2602.us.i.us.i, 1
  %.2674.us.i.us.i = or i8 %138, %.2572.us.i.us.i
  store i8 %.2674.us.i.us.i, ptr %137, align 1, !noalias !22
  %.2518.us.i.us.i.1 = add nuw nsw i64 %.2449.068.us.i.us.i, 2
  %139 = getelementptr i8, ptr %.205.i.i, i64 %.2518.us.i.us.i
  %.2572.us.i.us.i.1 = load i8, ptr %139, align 1, !noalias !22
  %.2601.us.i.us.i.1 = getelementptr i8, ptr %.2296.i.us.i, i64 %.2518.us.i.us.i
  %.2602.us.i.us.i.1 = load i8, ptr %.2601.us.i.us.i.1, align 1, !noalias !22
  %140 = and i8 %.2602.us.i.us.i.1, 1
  %.2674.us.i.us.i.1 = or i8 %140, %.2572.us.i.us.i.1
  store i8 %.2674.us.i.us.i.1, ptr %139, align 1, !noalias !22
  %exitcond102.not.i.us.i.1 = icmp eq i64 %.2518.us.i.us.i.1, 256
  br i1 %exitcond102.not.i.us.i.1, label %B1472.loopexit.i.loopexit.us.i, label %B1612.if.us.i.us.i, !llvm.loop !40

B1472.loopexit.i.loopexit.us.i:                   ; preds = %B1612.if.us.i.us.i, %vector.body693
  %.2188.i.us.i = icmp ugt i64 %.2135.071.i.us.i, 1
  br i1 %.2188.i.us.i, label %B1472.if.i.us.i, label %B1720.loopexit.i.i

B1472.loopexit.i.loopexit32.i:                    ; preds = %B1612.if.i.i, %vector.body725
  %.2197.i.i = add nsw i64 %.2135.071.i.i, -1
  %.2201.i.i = add i64 %.2132.072.i.i, 1
  %.2188.i.i = icmp ugt i64 %.2135.071.i.i, 1
  br i1 %.2188.i.i, label %B1472.if.i.i, label %B1720.loopexit.i.i

B1720.loopexit.i.i:                               ; preds = %B1472.loopexit.i.loopexit32.i, %B1472.loopexit.i.loopexit.us.i
  %.2922.pre.i.i = load i64, ptr %64, align 8, !noalias !22
  br label %B1720.i.i

B1720.i.i:                                        ; preds = %B1720.loopexit.i.i, %B1320.i.i
  %.2922.i.i = phi i64 [ %.2922.pre.i.i, %B1720.loopexit.i.i ], [ %.1883.i.i, %B1320.i.i ]
  %.2754.i.i = icmp slt i64 %"$phi1278.1.2.2.i.i", 0
  %.2755.i.i = select i1 %.2754.i.i, i64 %.30.i.i163, i64 0
  %.2756.i.i = add i64 %.2755.i.i, %"$phi1278.1.2.2.i.i"
  %.idx36.i.i = shl i64 %.2756.i.i, 6
  %141 = getelementptr i8, ptr %.36.i.i164, i64 %.idx36.i.i
  %.2890.i.i = getelementptr i8, ptr %141, i64 24
  %.2891.i.i = load i64, ptr %.2890.i.i, align 8, !noalias !22
  %.2926.not.i.i = icmp ne i64 %"$phi1278.1.2.2.i.i", %.2922.i.i
  %.297037.i.i = icmp sgt i64 %.2891.i.i, 0
  %.2970.not.i.i = select i1 %.2926.not.i.i, i1 %.297037.i.i, i1 false
  br i1 %.2970.not.i.i, label %B1862.if.preheader.i.i, label %B3695.i.i

B1862.if.preheader.i.i:                           ; preds = %B1720.i.i
  %.2780.i.i = getelementptr i8, ptr %141, i64 16
  %.2781.i.i = load i64, ptr %.2780.i.i, align 8, !noalias !22
  br label %B1862.if.i.i

B1862.loopexit.i.i:                               ; preds = %B1930.if.i.i, %vector.body677
  %.3021.i.i = add nsw i64 %.2959.077.i.i, -1
  %.3025.i.i = add i64 %.2956.076.i.i, 1
  %.3012.i.i = icmp sgt i64 %.2959.077.i.i, 1
  br i1 %.3012.i.i, label %B1862.if.i.i, label %B3695.i.i

B2068.i.i:                                        ; preds = %B2046.if.i.i
  %142 = getelementptr i8, ptr %.243.i.i, i64 %.3414.082.i.i
  %.3580.i.i = load i8, ptr %142, align 1, !noalias !22
  %.3581.not.i.i = icmp eq i8 %.3580.i.i, 0
  br i1 %.3581.not.i.i, label %B2178.i.i, label %B2084.i.i

B2084.i.i:                                        ; preds = %B2068.i.i
  %143 = getelementptr i32, ptr %.290.i.i, i64 %.3414.082.i.i
  %144 = getelementptr i8, ptr %143, i64 4
  %.3614.i.i = load i32, ptr %144, align 4, !noalias !22
  %.3645.i.i = load i32, ptr %143, align 4, !noalias !22
  %.3648.i.i = sext i32 %.3614.i.i to i64
  %.3649.i.i = sext i32 %.3645.i.i to i64
  %.3650.i.i = sub nsw i64 %.3648.i.i, %.3649.i.i
  br label %B2178.i.i

B2178.i.i:                                        ; preds = %B2046.if.i.i, %B2084.i.i, %B2068.i.i
  %"$phi2178.2.2.1.i.i" = phi i64 [ %.3650.i.i, %B2084.i.i ], [ 0, %B2068.i.i ], [ 0, %B2046.if.i.i ]
  %.3662.i.i = add nsw i64 %"$phi2178.2.2.1.i.i", %weight.2.084.i.i
  %.3483.i.i.1 = add nuw nsw i64 %.3414.082.i.i, 2
  %145 = getelementptr i8, ptr %.205.i.i, i64 %.3483.i.i
  %.3541.i.i.1 = load i8, ptr %145, align 1, !noalias !22
  %.3542.not.i.i.1 = icmp eq i8 %.3541.i.i.1, 0
  br i1 %.3542.not.i.i.1, label %B2178.i.i.1, label %B2068.i.i.1

B2068.i.i.1:                                      ; preds = %B2178.i.i
  %146 = getelementptr i8, ptr %.243.i.i, i64 %.3483.i.i
  %.3580.i.i.1 = load i8, ptr %146, align 1, !noalias !22
  %.3581.not.i.i.1 = icmp eq i8 %.3580.i.i.1, 0
  br i1 %.3581.not.i.i.1, label %B2178.i.i.1, label %B2084.i.i.1

B2084.i.i.1:                                      ; preds = %B2068.i.i.1
  %147 = getelementptr i32, ptr %.290.i.i, i64 %.3483.i.i
  %148 = getelementptr i8, ptr %147, i64 4
  %.3614.i.i.1 = load i32, ptr %148, align 4, !noalias !22
  %.3645.i.i.1 = load i32, ptr %147, align 4, !noalias !22
  %.3648.i.i.1 = sext i32 %.3614.i.i.1 to i64
  %.3649.i.i.1 = sext i32 %.3645.i.i.1 to i64
  %.3650.i.i.1 = sub nsw i64 %.3648.i.i.1, %.3649.i.i.1
  br label %B2178.i.i.1

B2178.i.i.1:                                      ; preds = %B2084.i.i.1, %B2068.i.i.1, %B2178.i.i
  %"$phi2178.2.2.1.i.i.1" = phi i64 [ %.3650.i.i.1, %B2084.i.i.1 ], [ 0, %B2068.i.i.1 ], [ 0, %B2178.i.i ]
  %.3662.i.i.1 = add nsw i64 %"$phi2178.2.2.1.i.i.1", %.3662.i.i
  %exitcond104.not.i.i.1 = icmp eq i64 %.3483.i.i.1, 256
  br i1 %exitcond104.not.i.i.1, label %B2186.i.i, label %B2046.if.i.i

B2186.i.i:                                        ; preds = %B2178.i.i.1
  %.3675.i.i = shl nsw i64 %.3662.i.i.1, 2
  %.3706.i.i = getelementptr i8, ptr %.290.i.i, i64 1024
  %.3707.i.i = load i32, ptr %.3706.i.i, align 4, !noalias !22
  %.3708.i.i = sext i32 %.3707.i.i to i64
  %.3709.i.i = icmp sgt i64 %.3675.i.i, %.3708.i.i
  br i1 %.3709.i.i, label %B250.endif.i, label %B2300.preheader.i.i

B2300.preheader.i.i:                              ; preds = %B2186.i.i
  %.4182.i.i = getelementptr i8, ptr %.19, i64 752
  %.4282.i.i = getelementptr i8, ptr %.19, i64 768
  %.4621.i.i = getelementptr i8, ptr %.19, i64 784
  %.106.i.i.i = getelementptr i8, ptr %.19, i64 336
  %.109.i.i.i = getelementptr i8, ptr %.19, i64 352
  %.5204.i.i = getelementptr i8, ptr %.19, i64 848
  %.49.i.i.i = getelementptr i8, ptr %.19, i64 416
  %.82.i.i.i = getelementptr i8, ptr %.19, i64 424
  %.26.i.i.i = getelementptr i8, ptr %.19, i64 408
  %.63.i.i.i = getelementptr i8, ptr %.19, i64 528
  %.5388.i.i = getelementptr i8, ptr %.19, i64 880
  %.5439.i.i = getelementptr i8, ptr %.19, i64 888
  br label %B2304.i.i

B2304.i.i:                                        ; preds = %B3693.i.i, %B2300.preheader.i.i
  %n.4.094.i.i = phi i64 [ 0, %B2300.preheader.i.i ], [ %n.5.1.i.i, %B3693.i.i ]
  %.3769.092.i.i = phi i64 [ 0, %B2300.preheader.i.i ], [ %.3839.i.i, %B3693.i.i ]
  %.3839.i.i = add nuw nsw i64 %.3769.092.i.i, 1
  %149 = getelementptr i8, ptr %.205.i.i, i64 %.3769.092.i.i
  %.3897.i.i = load i8, ptr %149, align 1, !noalias !22
  %.3899.i.i = icmp eq i8 %.3897.i.i, 0
  br i1 %.3899.i.i, label %B3693.i.i, label %B2332.i.i

B2332.i.i:                                        ; preds = %B2304.i.i
  %150 = getelementptr i32, ptr %.290.i.i, i64 %.3769.092.i.i
  %.3952.i.i = load i32, ptr %150, align 4, !noalias !22
  %151 = getelementptr i8, ptr %150, i64 4
  %.3984.i.i = load i32, ptr %151, align 4, !noalias !22
  %.4021.i.i = sub i32 %.3984.i.i, %.3952.i.i
  %.406585.not.i.i = icmp slt i32 %.4021.i.i, 1
  br i1 %.406585.not.i.i, label %B3693.i.i, label %B2466.if.lr.ph.i.i

B2466.if.lr.ph.i.i:                               ; preds = %B2332.i.i
  %152 = getelementptr i8, ptr %.243.i.i, i64 %.3769.092.i.i
  br label %B2466.if.i.i

B2500.i.i:                                        ; preds = %B2466.if.i.i
  %.4183.i.i = load i64, ptr %.4182.i.i, align 8, !noalias !22
  %.4184.not.i.i = icmp eq i64 %.4183.i.i, 0
  br i1 %.4184.not.i.i, label %B2938.i.i, label %B2610.i.i

B2610.i.i:                                        ; preds = %B2500.i.i
  %.4202.i.i = select i1 %.4121.i.i, i64 %.322.i.i, i64 0
  %153 = getelementptr i32, ptr %.328.i.i, i64 %352
  %.4216.i.i = getelementptr i32, ptr %153, i64 %.4202.i.i
  %.4217.i.i = load i32, ptr %.4216.i.i, align 4, !noalias !22
  %.4219.i.i = sext i32 %.4217.i.i to i64
  %.4232.i.i = icmp slt i32 %.4217.i.i, 0
  %.4233.i.i = select i1 %.4232.i.i, i64 %.568.i.i, i64 0
  %154 = getelementptr i32, ptr %.574.i.i, i64 %.4233.i.i
  %.4247.i.i = getelementptr i32, ptr %154, i64 %.4219.i.i
  %.4248.i.i = load i32, ptr %.4247.i.i, align 4, !noalias !22
  %.4249.i.i = sext i32 %.4248.i.i to i64
  %.4326.pre.i.i = load i64, ptr %.4282.i.i, align 8, !noalias !22
  %.4328.i.i = icmp slt i64 %.4326.pre.i.i, %.4249.i.i
  br i1 %.4328.i.i, label %B2646.i.i, label %B2938.i.i

B2646.i.i:                                        ; preds = %B2610.i.i
  %.4351.i.i = icmp slt i32 %.4248.i.i, 0
  %.4352.i.i = select i1 %.4351.i.i, i64 %.483.i.i, i64 0
  %155 = getelementptr i8, ptr %.489.i.i, i64 %.4249.i.i
  %.4366.i.i = getelementptr i8, ptr %155, i64 %.4352.i.i
  %.4367.i.i = load i8, ptr %.4366.i.i, align 1, !noalias !22
  %.4371.i.i = zext i8 %.4367.i.i to i64
  %.4396.i.i = getelementptr i8, ptr %.536.i.i, i64 %.4371.i.i
  %.4397.i.i = load i8, ptr %.4396.i.i, align 1, !noalias !22
  %.4399.i.i = icmp eq i8 %.4397.i.i, 0
  br i1 %.4399.i.i, label %B2682.i.i, label %B2828.critedge.i.i

B2682.i.i:                                        ; preds = %B2646.i.i, %B2758.i.i
  %node.3.4.i.i = phi i64 [ %.4437.i.i, %B2758.i.i ], [ %.4249.i.i, %B2646.i.i ]
  %.4418.i.i = icmp slt i64 %node.3.4.i.i, 0
  %.4419.i.i = select i1 %.4418.i.i, i64 %.568.i.i, i64 0
  %156 = getelementptr i32, ptr %.574.i.i, i64 %node.3.4.i.i
  %.4433.i.i = getelementptr i32, ptr %156, i64 %.4419.i.i
  %.4434.i.i = load i32, ptr %.4433.i.i, align 4, !noalias !22
  %.4437.i.i = sext i32 %.4434.i.i to i64
  %.4475.i.i = icmp slt i64 %.4326.pre.i.i, %.4437.i.i
  br i1 %.4475.i.i, label %B2758.i.i, label %B2938.i.i

B2758.i.i:                                        ; preds = %B2682.i.i
  %.4497.i.i = icmp slt i32 %.4434.i.i, 0
  %.4498.i.i = select i1 %.4497.i.i, i64 %.483.i.i, i64 0
  %157 = getelementptr i8, ptr %.489.i.i, i64 %.4498.i.i
  %.4512.i.i = getelementptr i8, ptr %157, i64 %.4437.i.i
  %.4513.i.i = load i8, ptr %.4512.i.i, align 1, !noalias !22
  %.4517.i.i = zext i8 %.4513.i.i to i64
  %.4542.i.i = getelementptr i8, ptr %.536.i.i, i64 %.4517.i.i
  %.4543.i.i = load i8, ptr %.4542.i.i, align 1, !noalias !22
  %.4545.i.i = icmp eq i8 %.4543.i.i, 0
  br i1 %.4545.i.i, label %B2682.i.i, label %B2828.critedge.i.i

B2828.critedge.i.i:                               ; preds = %B2758.i.i, %B2646.i.i
  %.4622.i.i = load i64, ptr %.4621.i.i, align 8, !noalias !22
  %.4623.i.i = icmp eq i64 %.4622.i.i, 0
  br i1 %.4623.i.i, label %B3694.i.i, label %B2864.i.i

B2864.i.i:                                        ; preds = %B2828.critedge.i.i
  %.31.i.i.i = load i64, ptr %.479.i.i, align 8, !noalias !41
  %.34.i.i.i171 = load i64, ptr %.482.i.i, align 8, !noalias !41
  %.40.i.i.i = inttoptr i64 %.31.i.i.i to ptr
  %.69.i.i.i172 = load i64, ptr %.564.i.i, align 8, !noalias !41
  %.72.i.i.i = load i64, ptr %.567.i.i, align 8, !noalias !41
  %.78.i.i.i = inttoptr i64 %.69.i.i.i172 to ptr
  %.107.i.i.i173 = load i64, ptr %.106.i.i.i, align 8, !noalias !41
  %.110.i.i.i = load i64, ptr %.109.i.i.i, align 8, !noalias !41
  %.116.i.i.i = inttoptr i64 %.107.i.i.i173 to ptr
  %.212.i.i.i = icmp slt i64 %.4326.pre.i.i, %.4219.i.i
  br i1 %.212.i.i.i, label %B196.i.i.i, label %B304.i.i.i

B196.i.i.i:                                       ; preds = %B2864.i.i, %B196.i.i.i
  %node.2.0.i.i.i = phi i64 [ %.312.i.i.i, %B196.i.i.i ], [ %.4219.i.i, %B2864.i.i ]
  %start.2.0.i.i.i = phi i64 [ %.215.i.i.i, %B196.i.i.i ], [ %.110.i.i.i, %B2864.i.i ]
  %.215.i.i.i = add nsw i64 %start.2.0.i.i.i, -1
  %.234.i.i.i = icmp slt i64 %node.2.0.i.i.i, 0
  %.235.i.i.i = select i1 %.234.i.i.i, i64 %.34.i.i.i171, i64 0
  %158 = getelementptr i8, ptr %.40.i.i.i, i64 %node.2.0.i.i.i
  %.249.i.i.i = getelementptr i8, ptr %158, i64 %.235.i.i.i
  %.250.i.i.i = load i8, ptr %.249.i.i.i, align 1, !noalias !41
  %.264.inv.i.i.i = icmp sgt i64 %start.2.0.i.i.i, 0
  %.265.i.i.i = select i1 %.264.inv.i.i.i, i64 0, i64 %.110.i.i.i
  %159 = getelementptr i8, ptr %.116.i.i.i, i64 %.215.i.i.i
  %.279.i3284.i.i = getelementptr i8, ptr %159, i64 %.265.i.i.i
  store i8 %.250.i.i.i, ptr %.279.i3284.i.i, align 1, !noalias !41
  %.296.i3285.i.i = select i1 %.234.i.i.i, i64 %.72.i.i.i, i64 0
  %160 = getelementptr i32, ptr %.78.i.i.i, i64 %node.2.0.i.i.i
  %.310.i.i.i = getelementptr i32, ptr %160, i64 %.296.i3285.i.i
  %.311.i.i.i = load i32, ptr %.310.i.i.i, align 4, !noalias !41
  %.312.i.i.i = sext i32 %.311.i.i.i to i64
  %.344.i.i.i = load i64, ptr %.4282.i.i, align 8, !noalias !41
  %.345.i.i.i = icmp slt i64 %.344.i.i.i, %.312.i.i.i
  br i1 %.345.i.i.i, label %B196.i.i.i, label %B304.loopexit.i.i.i

B304.loopexit.i.i.i:                              ; preds = %B196.i.i.i
  %.386.pre.i.i.i = load i64, ptr %.109.i.i.i, align 8, !noalias !41
  br label %B304.i.i.i

B304.i.i.i:                                       ; preds = %B304.loopexit.i.i.i, %B2864.i.i
  %.386.i.i.i = phi i64 [ %.110.i.i.i, %B2864.i.i ], [ %.386.pre.i.i.i, %B304.loopexit.i.i.i ]
  %start.3.1.i.i.i = phi i64 [ %.110.i.i.i, %B2864.i.i ], [ %.215.i.i.i, %B304.loopexit.i.i.i ]
  store ptr null, ptr %excinfo.1.i.i.i.i, align 8, !noalias !45
  %.68.i.i.i.i = sub i64 %.386.i.i.i, %start.3.1.i.i.i
  %spec.select.i.i.i.i = tail call i64 @llvm.smax.i64(i64 %.68.i.i.i.i, i64 0)
  br label %B36.i.i.i.i

B36.i.i.i.i:                                      ; preds = %B38.endif.i.i.i.i, %B304.i.i.i
  %.55.0.i.i.i.i = phi i64 [ %start.3.1.i.i.i, %B304.i.i.i ], [ %.130.i.i.i.i, %B38.endif.i.i.i.i ]
  %.58.0.i.i.i.i = phi i64 [ %spec.select.i.i.i.i, %B304.i.i.i ], [ %.126.i.i.i.i, %B38.endif.i.i.i.i ]
  %state.2.0.i.i.i.i = phi i64 [ %arg.x, %B304.i.i.i ], [ %.207.i.i.i.i, %B38.endif.i.i.i.i ]
  %.117.i.i.i.i = icmp sgt i64 %.58.0.i.i.i.i, 0
  br i1 %.117.i.i.i.i, label %B36.if.i.i.i.i, label %B2864.endif.i.i

B36.if.i.i.i.i:                                   ; preds = %B36.i.i.i.i
  %.171.i.i.i.i = icmp slt i64 %.55.0.i.i.i.i, 0
  %.172.i.i.i.i = select i1 %.171.i.i.i.i, i64 %.110.i.i.i, i64 0
  %161 = getelementptr i8, ptr %.116.i.i.i, i64 %.55.0.i.i.i.i
  %.186.i.i.i.i = getelementptr i8, ptr %161, i64 %.172.i.i.i.i
  %.187.i.i.i.i = load i8, ptr %.186.i.i.i.i, align 1, !noalias !45
  %.188.i.i.i.i = zext i8 %.187.i.i.i.i to i64
  store i64 0, ptr %.191.i.i.i.i129, align 8, !noalias !45
  %.197.i.i.i.i = call fastcc i32 @states.step(ptr %.191.i.i.i.i129, ptr %excinfo.1.i.i.i.i, ptr %.19, i64 %state.2.0.i.i.i.i, i64 %.188.i.i.i.i)
  %.199.not.i.i.i.i = icmp eq i32 %.197.i.i.i.i, 0
  br i1 %.199.not.i.i.i.i, label %B38.endif.i.i.i.i, label %B2864.if.i.i, !prof !4

B38.endif.i.i.i.i:                                ; preds = %B36.if.i.i.i.i
  %.207.i.i.i.i = load i64, ptr %.191.i.i.i.i129, align 8, !noalias !45
  %.130.i.i.i.i = add i64 %.55.0.i.i.i.i, 1
  %.126.i.i.i.i = add nsw i64 %.58.0.i.i.i.i, -1
  %.223.i.i.i.i = icmp slt i64 %.207.i.i.i.i, 0
  br i1 %.223.i.i.i.i, label %B2864.endif.i.i, label %B36.i.i.i.i

B2938.i.i:                                        ; preds = %B2682.i.i, %B2610.i.i, %B2500.i.i
  %.4780.i.i = icmp slt i32 %.4137.i.i, 0
  %.4781.i.i = select i1 %.4780.i.i, i64 %.161.i.i, i64 0
  %162 = getelementptr i64, ptr %.167.i.i, i64 %.4781.i.i
  %.4795.i.i = getelementptr i64, ptr %162, i64 %.4139.i.i
  %.4796.i.i = load i64, ptr %.4795.i.i, align 8, !noalias !22
  %.4798.not.i.i = icmp eq i64 %.4796.i.i, %asked.2.290.i.i
  br i1 %.4798.not.i.i, label %B3182.i.i, label %B2974.i.i

B2974.i.i:                                        ; preds = %B2938.i.i
  %.4910.i.i = load i8, ptr %152, align 1, !noalias !22
  %.4911.not.i.i = icmp ne i8 %.4910.i.i, 0
  %.4949.i.i = icmp sgt i64 %reach.2.063.i.i, %.4139.i.i
  %brmerge3283.i.i = or i1 %"$phi852.0.3.15.i.i", %.4949.i.i
  %or.cond.i.i169 = and i1 %brmerge3283.i.i, %.4911.not.i.i
  br i1 %or.cond.i.i169, label %B3050.i.i, label %B3082.i.i

B3050.i.i:                                        ; preds = %B2974.i.i
  store i64 0, ptr %.4963.i.i, align 8, !noalias !22
  %.4969.i.i = call fastcc i32 @classes.aside(ptr %.4963.i.i, ptr %excinfo.6.i.i, ptr %.19, i64 %.4796.i.i)
  %.4971.not.i.i = icmp eq i32 %.4969.i.i, 0
  br i1 %.4971.not.i.i, label %B3050.endif.i.i, label %B3050.if.i.i, !prof !4

B3082.i.i:                                        ; preds = %B3050.endif.i.i, %B2974.i.i
  %other.3.5.i.i = phi i64 [ %.4979.i.i, %B3050.endif.i.i ], [ %.4796.i.i, %B2974.i.i ]
  %.4995.i.i = icmp eq i64 %other.3.5.i.i, -3
  br i1 %.4995.i.i, label %B250.endif.i, label %B3118.i.i

B3118.i.i:                                        ; preds = %B3082.i.i
  store i64 0, ptr %.5007.i.i, align 8, !noalias !22
  %.5013.i.i = call fastcc i32 @states.step_once(ptr %.5007.i.i, ptr %excinfo.7.i.i, ptr %.19, i64 %other.3.5.i.i, i64 %.3769.092.i.i)
  %.5015.not.i.i = icmp eq i32 %.5013.i.i, 0
  br i1 %.5015.not.i.i, label %B3118.endif.i.i, label %B3118.if.i.i, !prof !4

B3182.i.i:                                        ; preds = %B3118.endif.i.i, %B2864.endif.i.i, %B2938.i.i
  %left.5.4.i.i = phi i64 [ %left.3.289.i.i, %B2864.endif.i.i ], [ %left.3.289.i.i, %B2938.i.i ], [ %.5023.i.i, %B3118.endif.i.i ]
  %asked.4.4.i.i = phi i64 [ %asked.2.290.i.i, %B2864.endif.i.i ], [ %asked.2.290.i.i, %B2938.i.i ], [ %.4796.i.i, %B3118.endif.i.i ]
  %after.2.4.i.i = phi i64 [ %.391.0.ph.i.i.i, %B2864.endif.i.i ], [ %left.3.289.i.i, %B2938.i.i ], [ %.5023.i.i, %B3118.endif.i.i ]
  %.5064.i.i = icmp eq i64 %after.2.4.i.i, -3
  br i1 %.5064.i.i, label %B250.endif.i, label %B3226.i.i

B3226.i.i:                                        ; preds = %B3182.i.i
  %.5115.i.i = icmp slt i64 %after.2.4.i.i, 0
  br i1 %.5115.i.i, label %B3694.i.i, label %B3242.i.i

B3242.i.i:                                        ; preds = %B3226.i.i
  %.5153.i.i = select i1 %.4121.i.i, i64 %.322.i.i, i64 0
  %163 = getelementptr i32, ptr %.328.i.i, i64 %352
  %.5167.i.i = getelementptr i32, ptr %163, i64 %.5153.i.i
  %.5168.i.i = load i32, ptr %.5167.i.i, align 4, !noalias !22
  %.5171.i.i = sext i32 %.5168.i.i to i64
  %.5205.i.i = load i64, ptr %.5204.i.i, align 8, !noalias !22
  %.50.i.i.i = load i64, ptr %.49.i.i.i, align 8, !noalias !49
  %.5207.i.i = add i64 %n.3.288.i.i, 1
  %.5208.i.i = add i64 %.5207.i.i, %.5205.i.i
  %.51.i.i.i = add nsw i64 %.5208.i.i, %.50.i.i.i
  %.83.i.i.i = load i64, ptr %.82.i.i.i, align 8, !noalias !49
  %.84.not.i.i.i = icmp sgt i64 %.51.i.i.i, %.83.i.i.i
  br i1 %.84.not.i.i.i, label %B250.endif.sink.split.i, label %B3384.i.i

B3384.i.i:                                        ; preds = %B3242.i.i
  %.5309.i.i = icmp slt i32 %.5168.i.i, 0
  %.5310.i.i = select i1 %.5309.i.i, i64 %.445.i.i, i64 0
  %164 = getelementptr i32, ptr %.451.i.i, i64 %.5310.i.i
  %.5324.i.i = getelementptr i32, ptr %164, i64 %.5171.i.i
  %.5325.i.i = load i32, ptr %.5324.i.i, align 4, !noalias !22
  %.5326.i.i = sext i32 %.5325.i.i to i64
  %.27.i.i.i = load i64, ptr %.26.i.i.i, align 8, !noalias !52
  %.36.i.i.i = inttoptr i64 %.27.i.i.i to ptr
  %.64.i.i.i = load i64, ptr %.63.i.i.i, align 8, !noalias !52
  %.73.i.i.i = inttoptr i64 %.64.i.i.i to ptr
  %.100.i.i.i = icmp sgt i32 %.5325.i.i, -2
  %.113.i.i.i = sub nuw nsw i64 -2, %.5326.i.i
  %"$phi138.0.2.0.i.i.i" = select i1 %.100.i.i.i, i64 %.5326.i.i, i64 %.113.i.i.i
  %.133.i.i.i = icmp sgt i64 %"$phi138.0.2.0.i.i.i", -1
  br i1 %.133.i.i.i, label %B152.i.i.i, label %tokens.several.exit.i.i

B152.i.i.i:                                       ; preds = %B3384.i.i, %B152.i.i.i
  %n.2.0.i.i.i = phi i64 [ %.169.i.i.i, %B152.i.i.i ], [ %n.3.288.i.i, %B3384.i.i ]
  %t.1.2.0.i.i.i = phi i64 [ %.205.i.i.i, %B152.i.i.i ], [ %"$phi138.0.2.0.i.i.i", %B3384.i.i ]
  %.150.i.i.i = icmp slt i64 %n.2.0.i.i.i, 0
  %.151.i.i.i = select i1 %.150.i.i.i, i64 %.83.i.i.i, i64 0
  %165 = getelementptr i32, ptr %.36.i.i.i, i64 %n.2.0.i.i.i
  %.165.i.i.i = getelementptr i32, ptr %165, i64 %.151.i.i.i
  %.166.i.i.i = trunc i64 %t.1.2.0.i.i.i to i32
  store i32 %.166.i.i.i, ptr %.165.i.i.i, align 4, !noalias !52
  %.169.i.i.i = add nsw i64 %n.2.0.i.i.i, 1
  %.203.i.i.i170 = getelementptr i32, ptr %.73.i.i.i, i64 %t.1.2.0.i.i.i
  %.204.i.i.i = load i32, ptr %.203.i.i.i170, align 4, !noalias !52
  %.205.i.i.i = zext i32 %.204.i.i.i to i64
  %.208.i.i.i = icmp sgt i32 %.204.i.i.i, -1
  br i1 %.208.i.i.i, label %B152.i.i.i, label %tokens.several.exit.i.i

tokens.several.exit.i.i:                          ; preds = %B152.i.i.i, %B3384.i.i
  %n.3.1.i.i.i = phi i64 [ %n.3.288.i.i, %B3384.i.i ], [ %.169.i.i.i, %B152.i.i.i ]
  %.5389.i.i = load i64, ptr %.5388.i.i, align 8, !noalias !22
  %.5391.i.i = icmp eq i64 %.5389.i.i, %.5171.i.i
  br i1 %.5391.i.i, label %B3490.i.i, label %B3514.i.i

B3490.i.i:                                        ; preds = %tokens.several.exit.i.i
  store i64 %after.2.4.i.i, ptr %.5439.i.i, align 8, !noalias !22
  br label %B3694.i.i

B3514.i.i:                                        ; preds = %tokens.several.exit.i.i
  %.5463.i.i = select i1 %.5309.i.i, i64 %.407.i.i, i64 0
  %166 = getelementptr i32, ptr %.413.i.i, i64 %.5463.i.i
  %.5477.i.i = getelementptr i32, ptr %166, i64 %.5171.i.i
  %.5478.i.i = load i32, ptr %.5477.i.i, align 4, !noalias !22
  %.5494.i.i = icmp slt i32 %.5168.i.i, -1
  %.5495.i.i = select i1 %.5494.i.i, i64 %.407.i.i, i64 0
  %167 = getelementptr i32, ptr %.413.i.i, i64 %.5171.i.i
  %168 = getelementptr i8, ptr %167, i64 4
  %.5509.i.i = getelementptr i32, ptr %168, i64 %.5495.i.i
  %.5510.i.i = load i32, ptr %.5509.i.i, align 4, !noalias !22
  %.5511.i.i = icmp slt i32 %.5478.i.i, %.5510.i.i
  br i1 %.5511.i.i, label %B3556.i.i, label %B3694.i.i

B3556.i.i:                                        ; preds = %B3514.i.i
  store i64 0, ptr %.5518.i.i, align 8, !noalias !22
  %.5524.i.i = call fastcc i32 @tokens.below(ptr %.5518.i.i, ptr %excinfo.10.i.i, ptr nonnull %.19, i64 %.5171.i.i, i64 %after.2.4.i.i, i64 %n.3.1.i.i.i, i64 0)
  %.5526.not.i.i = icmp eq i32 %.5524.i.i, 0
  br i1 %.5526.not.i.i, label %B3556.endif.i.i, label %B3556.if.i.i, !prof !4

B3693.i.i:                                        ; preds = %B2466.if.i.i, %B3694.i.i, %B2332.i.i, %B2304.i.i
  %n.5.1.i.i = phi i64 [ %n.4.094.i.i, %B2304.i.i ], [ %n.4.094.i.i, %B2332.i.i ], [ %n.3.288.i.i, %B2466.if.i.i ], [ %n.6.3.i.i, %B3694.i.i ]
  %exitcond105.not.i.i = icmp eq i64 %.3839.i.i, 256
  br i1 %exitcond105.not.i.i, label %B250.endif.i, label %B2304.i.i

B3694.i.i:                                        ; preds = %B3556.endif.i.i, %B3514.i.i, %B3490.i.i, %B3226.i.i, %B2828.critedge.i.i
  %n.6.3.i.i = phi i64 [ %n.3.288.i.i, %B3226.i.i ], [ %n.3.288.i.i, %B2828.critedge.i.i ], [ %n.3.1.i.i.i, %B3490.i.i ], [ %.5534.i.i, %B3556.endif.i.i ], [ %n.3.1.i.i.i, %B3514.i.i ]
  %left.4.3.i.i = phi i64 [ %left.5.4.i.i, %B3226.i.i ], [ %left.3.289.i.i, %B2828.critedge.i.i ], [ %left.5.4.i.i, %B3490.i.i ], [ %left.5.4.i.i, %B3556.endif.i.i ], [ %left.5.4.i.i, %B3514.i.i ]
  %asked.3.3.i.i = phi i64 [ %asked.4.4.i.i, %B3226.i.i ], [ %asked.2.290.i.i, %B2828.critedge.i.i ], [ %asked.4.4.i.i, %B3490.i.i ], [ %asked.4.4.i.i, %B3556.endif.i.i ], [ %asked.4.4.i.i, %B3514.i.i ]
  %.4065.i.i = icmp sgt i32 %.4011.087.i.i, 1
  br i1 %.4065.i.i, label %B2466.if.i.i, label %B3693.i.i

B3695.i.i:                                        ; preds = %B1862.loopexit.i.i, %B1720.i.i, %B1090.i.i, %B1048.i.i
  %.1387.i.i = icmp sgt i64 %.1333.079.i.i, 1
  br i1 %.1387.i.i, label %B1010.if.i.i, label %B2046.if.i.i

B0.if.i.i:                                        ; preds = %B250.i
  %.610.i.i = load ptr, ptr %excinfo.1.i.i130, align 8, !noalias !22
  br label %B250.if.i

B0.endif.i.i168:                                  ; preds = %B250.i
  %.659.i.i = getelementptr i8, ptr %.19, i64 776
  %.660.i.i = load i64, ptr %.659.i.i, align 8, !noalias !22
  store i64 %arg.x, ptr %.167.i.i, align 8, !noalias !22
  store i64 0, ptr %.735.i.i, align 8, !noalias !22
  %.74160.i.i = call fastcc i32 @classes.loop_of(ptr %.735.i.i, ptr %excinfo.2.i.i131, ptr nonnull %.19, i64 %arg.x)
  %.743.not61.i.i = icmp eq i32 %.74160.i.i, 0
  br i1 %.743.not61.i.i, label %B694.endif.lr.ph.i.i, label %B694.if.i.i, !prof !55

B694.endif.lr.ph.i.i:                             ; preds = %B0.endif.i.i168
  %.812.i.i = ashr i64 %.619.i.i, 3
  br label %B694.endif.i.i

B694.if.i.i:                                      ; preds = %B872.i.i, %B0.endif.i.i168
  %.742.i.i = load ptr, ptr %excinfo.2.i.i131, align 8, !noalias !22
  br label %B250.if.i

B694.endif.i.i:                                   ; preds = %B694.endif.lr.ph.i.i, %B872.i.i
  %reach.2.063.i.i = phi i64 [ 0, %B694.endif.lr.ph.i.i ], [ %.937.i.i, %B872.i.i ]
  %.73264.i.i = getelementptr i64, ptr %.167.i.i, i64 %reach.2.063.i.i
  %.75165.i.i = load i64, ptr %.735.i.i, align 8, !noalias !22
  %.765.i.i = icmp eq i64 %.75165.i.i, -3
  br i1 %.765.i.i, label %B250.endif.i, label %B774.i.i

B938.endif.endif.i.i:                             ; preds = %B938.endif.else.endif.endif.endif.i.i
  br label %.1258.endif.preheader.i.i

.1258.endif.preheader.i.i:                        ; preds = %B938.endif.else.endif.endif.endif.i.i, %B938.endif.endif.i.i
  %.1167.sroa.13.0115.i.i = phi i64 [ %.199.i.i, %B938.endif.endif.i.i ], [ 256, %B938.endif.else.endif.endif.endif.i.i ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.205.i.i, i8 0, i64 %.1167.sroa.13.0115.i.i, i1 false), !noalias !22
  br label %B1010.if.lr.ph.i.i

B938.endif.else.endif.endif.endif.i.i:            ; preds = %B870.i.i
  %.1209.i.i = icmp ult i64 %.199.i.i, 257
  br i1 %.1209.i.i, label %B938.endif.endif.i.i, label %.1258.endif.preheader.i.i, !prof !56

B1010.if.lr.ph.i.i:                               ; preds = %.1258.endif.preheader.i.i, %B870.i.i
  %.1306.i.i = add nuw nsw i64 %reach.2.063.i.i, 1
  %.2333.i.i = and i64 %.812.i.i, 1
  %.55.i.i.i = getelementptr i8, ptr %.243.i.i, i64 92
  %scevgep669 = getelementptr i8, ptr %.205.i.i, i64 256
  %scevgep670 = getelementptr i8, ptr %.116.i.i, i64 256
  %scevgep686 = getelementptr i8, ptr %.116.i.i, i64 256
  %scevgep713 = getelementptr i8, ptr %.116.i.i, i64 256
  %scevgep715 = getelementptr i8, ptr %.243.i.i, i64 256
  %bound0719 = icmp ugt ptr %scevgep715, %.205.i.i
  %bound1720 = icmp ugt ptr %scevgep669, %.243.i.i
  %found.conflict721 = and i1 %bound0719, %bound1720
  %169 = getelementptr i8, ptr %.205.i.i, i64 16
  %170 = getelementptr i8, ptr %.243.i.i, i64 16
  %171 = getelementptr i8, ptr %.205.i.i, i64 32
  %172 = getelementptr i8, ptr %.205.i.i, i64 48
  %173 = getelementptr i8, ptr %.243.i.i, i64 32
  %174 = getelementptr i8, ptr %.243.i.i, i64 48
  %175 = getelementptr i8, ptr %.205.i.i, i64 64
  %176 = getelementptr i8, ptr %.205.i.i, i64 80
  %177 = getelementptr i8, ptr %.243.i.i, i64 64
  %178 = getelementptr i8, ptr %.243.i.i, i64 80
  %179 = getelementptr i8, ptr %.205.i.i, i64 96
  %180 = getelementptr i8, ptr %.205.i.i, i64 112
  %181 = getelementptr i8, ptr %.243.i.i, i64 96
  %182 = getelementptr i8, ptr %.243.i.i, i64 112
  %183 = getelementptr i8, ptr %.205.i.i, i64 128
  %184 = getelementptr i8, ptr %.205.i.i, i64 144
  %185 = getelementptr i8, ptr %.243.i.i, i64 128
  %186 = getelementptr i8, ptr %.243.i.i, i64 144
  %187 = getelementptr i8, ptr %.205.i.i, i64 160
  %188 = getelementptr i8, ptr %.205.i.i, i64 176
  %189 = getelementptr i8, ptr %.243.i.i, i64 160
  %190 = getelementptr i8, ptr %.243.i.i, i64 176
  %191 = getelementptr i8, ptr %.205.i.i, i64 192
  %192 = getelementptr i8, ptr %.205.i.i, i64 208
  %193 = getelementptr i8, ptr %.243.i.i, i64 192
  %194 = getelementptr i8, ptr %.243.i.i, i64 208
  %195 = getelementptr i8, ptr %.205.i.i, i64 224
  %196 = getelementptr i8, ptr %.205.i.i, i64 240
  %197 = getelementptr i8, ptr %.243.i.i, i64 224
  %198 = getelementptr i8, ptr %.243.i.i, i64 240
  %199 = getelementptr i8, ptr %.205.i.i, i64 16
  %200 = getelementptr i8, ptr %.205.i.i, i64 32
  %201 = getelementptr i8, ptr %.205.i.i, i64 48
  %202 = getelementptr i8, ptr %.205.i.i, i64 64
  %203 = getelementptr i8, ptr %.205.i.i, i64 80
  %204 = getelementptr i8, ptr %.205.i.i, i64 96
  %205 = getelementptr i8, ptr %.205.i.i, i64 112
  %206 = getelementptr i8, ptr %.205.i.i, i64 128
  %207 = getelementptr i8, ptr %.205.i.i, i64 144
  %208 = getelementptr i8, ptr %.205.i.i, i64 160
  %209 = getelementptr i8, ptr %.205.i.i, i64 176
  %210 = getelementptr i8, ptr %.205.i.i, i64 192
  %211 = getelementptr i8, ptr %.205.i.i, i64 208
  %212 = getelementptr i8, ptr %.205.i.i, i64 224
  %213 = getelementptr i8, ptr %.205.i.i, i64 240
  %214 = getelementptr i8, ptr %.205.i.i, i64 16
  %215 = getelementptr i8, ptr %.205.i.i, i64 32
  %216 = getelementptr i8, ptr %.205.i.i, i64 48
  %217 = getelementptr i8, ptr %.205.i.i, i64 64
  %218 = getelementptr i8, ptr %.205.i.i, i64 80
  %219 = getelementptr i8, ptr %.205.i.i, i64 96
  %220 = getelementptr i8, ptr %.205.i.i, i64 112
  %221 = getelementptr i8, ptr %.205.i.i, i64 128
  %222 = getelementptr i8, ptr %.205.i.i, i64 144
  %223 = getelementptr i8, ptr %.205.i.i, i64 160
  %224 = getelementptr i8, ptr %.205.i.i, i64 176
  %225 = getelementptr i8, ptr %.205.i.i, i64 192
  %226 = getelementptr i8, ptr %.205.i.i, i64 208
  %227 = getelementptr i8, ptr %.205.i.i, i64 224
  %228 = getelementptr i8, ptr %.205.i.i, i64 240
  br label %B1010.if.i.i

B1010.if.i.i:                                     ; preds = %B1010.if.lr.ph.i.i, %B3695.i.i
  %.1330.080.i.i = phi i64 [ 0, %B1010.if.lr.ph.i.i ], [ %.1400.i.i, %B3695.i.i ]
  %.1333.079.i.i = phi i64 [ %.1306.i.i, %B1010.if.lr.ph.i.i ], [ %.1396.i.i, %B3695.i.i ]
  %.1396.i.i = add nsw i64 %.1333.079.i.i, -1
  %.1400.i.i = add nuw nsw i64 %.1330.080.i.i, 1
  %.1430.i.i = icmp eq i64 %.1330.080.i.i, %reach.2.063.i.i
  %spec.select.i.i = and i1 %"$phi852.0.3.1.not6.i.i", %.1430.i.i
  %.1447.i.i = icmp eq i64 %.1330.080.i.i, 0
  %brmerge3281.i.i = or i1 %.1447.i.i, %spec.select.i.i
  br i1 %brmerge3281.i.i, label %B1158.i.i, label %B1048.i.i

B1220.if.i.i:                                     ; preds = %B1220.i.i
  %.1739.i.i = load ptr, ptr %excinfo.3.i.i, align 8, !noalias !22
  br label %B250.if.i

B1472.if.i.i:                                     ; preds = %B1472.if.preheader.i.i, %B1472.loopexit.i.loopexit32.i
  %.2132.072.i.i = phi i64 [ %.2201.i.i, %B1472.loopexit.i.loopexit32.i ], [ %.1937.i.i, %B1472.if.preheader.i.i ]
  %.2135.071.i.i = phi i64 [ %.2197.i.i, %B1472.loopexit.i.loopexit32.i ], [ %.2107.i.i, %B1472.if.preheader.i.i ]
  %.2239.i.i = icmp slt i64 %.2132.072.i.i, 0
  %.2240.i.i = select i1 %.2239.i.i, i64 %.72.i.i, i64 0
  %229 = getelementptr i64, ptr %.78.i.i, i64 %.2132.072.i.i
  %.2254.i.i = getelementptr i64, ptr %229, i64 %.2240.i.i
  %.2255.i.i = load i64, ptr %.2254.i.i, align 8, !noalias !22
  %.2256.i.i = ashr i64 %.2255.i.i, 32
  %.2275.i.i = icmp slt i64 %.2256.i.i, 0
  %.2276.i.i = select i1 %.2275.i.i, i64 %.110.i.i, i64 0
  %.2277.i.i = add i64 %.2276.i.i, %.2256.i.i
  %.2294.i.i = shl i64 %.2277.i.i, 8
  %.2296.i.i = getelementptr i8, ptr %.116.i.i, i64 %.2294.i.i
  %scevgep714 = getelementptr i8, ptr %scevgep713, i64 %.2294.i.i
  %bound0716 = icmp ugt ptr %scevgep714, %.205.i.i
  %bound1717 = icmp ult ptr %.2296.i.i, %scevgep669
  %found.conflict718 = and i1 %bound0716, %bound1717
  %conflict.rdx722 = or i1 %found.conflict718, %found.conflict721
  br i1 %conflict.rdx722, label %B1612.if.i.i, label %vector.body725

vector.body725:                                   ; preds = %B1472.if.i.i
  %wide.load727 = load <16 x i8>, ptr %.205.i.i, align 1, !alias.scope !57, !noalias !60
  %wide.load728 = load <16 x i8>, ptr %169, align 1, !alias.scope !57, !noalias !60
  %230 = getelementptr i8, ptr %.2296.i.i, i64 16
  %wide.load729 = load <16 x i8>, ptr %.2296.i.i, align 1, !alias.scope !63, !noalias !22
  %wide.load730 = load <16 x i8>, ptr %230, align 1, !alias.scope !63, !noalias !22
  %wide.load731 = load <16 x i8>, ptr %.243.i.i, align 1, !alias.scope !64, !noalias !22
  %wide.load732 = load <16 x i8>, ptr %170, align 1, !alias.scope !64, !noalias !22
  %231 = icmp eq <16 x i8> %wide.load731, zeroinitializer
  %232 = icmp eq <16 x i8> %wide.load732, zeroinitializer
  %233 = and <16 x i8> %wide.load729, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %234 = and <16 x i8> %wide.load730, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %235 = select <16 x i1> %231, <16 x i8> %233, <16 x i8> zeroinitializer
  %236 = select <16 x i1> %232, <16 x i8> %234, <16 x i8> zeroinitializer
  %237 = or <16 x i8> %235, %wide.load727
  %238 = or <16 x i8> %236, %wide.load728
  store <16 x i8> %237, ptr %.205.i.i, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %238, ptr %169, align 1, !alias.scope !57, !noalias !60
  %wide.load727.1 = load <16 x i8>, ptr %171, align 1, !alias.scope !57, !noalias !60
  %wide.load728.1 = load <16 x i8>, ptr %172, align 1, !alias.scope !57, !noalias !60
  %239 = getelementptr i8, ptr %.2296.i.i, i64 32
  %240 = getelementptr i8, ptr %.2296.i.i, i64 48
  %wide.load729.1 = load <16 x i8>, ptr %239, align 1, !alias.scope !63, !noalias !22
  %wide.load730.1 = load <16 x i8>, ptr %240, align 1, !alias.scope !63, !noalias !22
  %wide.load731.1 = load <16 x i8>, ptr %173, align 1, !alias.scope !64, !noalias !22
  %wide.load732.1 = load <16 x i8>, ptr %174, align 1, !alias.scope !64, !noalias !22
  %241 = icmp eq <16 x i8> %wide.load731.1, zeroinitializer
  %242 = icmp eq <16 x i8> %wide.load732.1, zeroinitializer
  %243 = and <16 x i8> %wide.load729.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %244 = and <16 x i8> %wide.load730.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %245 = select <16 x i1> %241, <16 x i8> %243, <16 x i8> zeroinitializer
  %246 = select <16 x i1> %242, <16 x i8> %244, <16 x i8> zeroinitializer
  %247 = or <16 x i8> %245, %wide.load727.1
  %248 = or <16 x i8> %246, %wide.load728.1
  store <16 x i8> %247, ptr %171, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %248, ptr %172, align 1, !alias.scope !57, !noalias !60
  %wide.load727.2 = load <16 x i8>, ptr %175, align 1, !alias.scope !57, !noalias !60
  %wide.load728.2 = load <16 x i8>, ptr %176, align 1, !alias.scope !57, !noalias !60
  %249 = getelementptr i8, ptr %.2296.i.i, i64 64
  %250 = getelementptr i8, ptr %.2296.i.i, i64 80
  %wide.load729.2 = load <16 x i8>, ptr %249, align 1, !alias.scope !63, !noalias !22
  %wide.load730.2 = load <16 x i8>, ptr %250, align 1, !alias.scope !63, !noalias !22
  %wide.load731.2 = load <16 x i8>, ptr %177, align 1, !alias.scope !64, !noalias !22
  %wide.load732.2 = load <16 x i8>, ptr %178, align 1, !alias.scope !64, !noalias !22
  %251 = icmp eq <16 x i8> %wide.load731.2, zeroinitializer
  %252 = icmp eq <16 x i8> %wide.load732.2, zeroinitializer
  %253 = and <16 x i8> %wide.load729.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %254 = and <16 x i8> %wide.load730.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %255 = select <16 x i1> %251, <16 x i8> %253, <16 x i8> zeroinitializer
  %256 = select <16 x i1> %252, <16 x i8> %254, <16 x i8> zeroinitializer
  %257 = or <16 x i8> %255, %wide.load727.2
  %258 = or <16 x i8> %256, %wide.load728.2
  store <16 x i8> %257, ptr %175, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %258, ptr %176, align 1, !alias.scope !57, !noalias !60
  %wide.load727.3 = load <16 x i8>, ptr %179, align 1, !alias.scope !57, !noalias !60
  %wide.load728.3 = load <16 x i8>, ptr %180, align 1, !alias.scope !57, !noalias !60
  %259 = getelementptr i8, ptr %.2296.i.i, i64 96
  %260 = getelementptr i8, ptr %.2296.i.i, i64 112
  %wide.load729.3 = load <16 x i8>, ptr %259, align 1, !alias.scope !63, !noalias !22
  %wide.load730.3 = load <16 x i8>, ptr %260, align 1, !alias.scope !63, !noalias !22
  %wide.load731.3 = load <16 x i8>, ptr %181, align 1, !alias.scope !64, !noalias !22
  %wide.load732.3 = load <16 x i8>, ptr %182, align 1, !alias.scope !64, !noalias !22
  %261 = icmp eq <16 x i8> %wide.load731.3, zeroinitializer
  %262 = icmp eq <16 x i8> %wide.load732.3, zeroinitializer
  %263 = and <16 x i8> %wide.load729.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %264 = and <16 x i8> %wide.load730.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %265 = select <16 x i1> %261, <16 x i8> %263, <16 x i8> zeroinitializer
  %266 = select <16 x i1> %262, <16 x i8> %264, <16 x i8> zeroinitializer
  %267 = or <16 x i8> %265, %wide.load727.3
  %268 = or <16 x i8> %266, %wide.load728.3
  store <16 x i8> %267, ptr %179, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %268, ptr %180, align 1, !alias.scope !57, !noalias !60
  %wide.load727.4 = load <16 x i8>, ptr %183, align 1, !alias.scope !57, !noalias !60
  %wide.load728.4 = load <16 x i8>, ptr %184, align 1, !alias.scope !57, !noalias !60
  %269 = getelementptr i8, ptr %.2296.i.i, i64 128
  %270 = getelementptr i8, ptr %.2296.i.i, i64 144
  %wide.load729.4 = load <16 x i8>, ptr %269, align 1, !alias.scope !63, !noalias !22
  %wide.load730.4 = load <16 x i8>, ptr %270, align 1, !alias.scope !63, !noalias !22
  %wide.load731.4 = load <16 x i8>, ptr %185, align 1, !alias.scope !64, !noalias !22
  %wide.load732.4 = load <16 x i8>, ptr %186, align 1, !alias.scope !64, !noalias !22
  %271 = icmp eq <16 x i8> %wide.load731.4, zeroinitializer
  %272 = icmp eq <16 x i8> %wide.load732.4, zeroinitializer
  %273 = and <16 x i8> %wide.load729.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %274 = and <16 x i8> %wide.load730.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %275 = select <16 x i1> %271, <16 x i8> %273, <16 x i8> zeroinitializer
  %276 = select <16 x i1> %272, <16 x i8> %274, <16 x i8> zeroinitializer
  %277 = or <16 x i8> %275, %wide.load727.4
  %278 = or <16 x i8> %276, %wide.load728.4
  store <16 x i8> %277, ptr %183, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %278, ptr %184, align 1, !alias.scope !57, !noalias !60
  %wide.load727.5 = load <16 x i8>, ptr %187, align 1, !alias.scope !57, !noalias !60
  %wide.load728.5 = load <16 x i8>, ptr %188, align 1, !alias.scope !57, !noalias !60
  %279 = getelementptr i8, ptr %.2296.i.i, i64 160
  %280 = getelementptr i8, ptr %.2296.i.i, i64 176
  %wide.load729.5 = load <16 x i8>, ptr %279, align 1, !alias.scope !63, !noalias !22
  %wide.load730.5 = load <16 x i8>, ptr %280, align 1, !alias.scope !63, !noalias !22
  %wide.load731.5 = load <16 x i8>, ptr %189, align 1, !alias.scope !64, !noalias !22
  %wide.load732.5 = load <16 x i8>, ptr %190, align 1, !alias.scope !64, !noalias !22
  %281 = icmp eq <16 x i8> %wide.load731.5, zeroinitializer
  %282 = icmp eq <16 x i8> %wide.load732.5, zeroinitializer
  %283 = and <16 x i8> %wide.load729.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %284 = and <16 x i8> %wide.load730.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %285 = select <16 x i1> %281, <16 x i8> %283, <16 x i8> zeroinitializer
  %286 = select <16 x i1> %282, <16 x i8> %284, <16 x i8> zeroinitializer
  %287 = or <16 x i8> %285, %wide.load727.5
  %288 = or <16 x i8> %286, %wide.load728.5
  store <16 x i8> %287, ptr %187, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %288, ptr %188, align 1, !alias.scope !57, !noalias !60
  %wide.load727.6 = load <16 x i8>, ptr %191, align 1, !alias.scope !57, !noalias !60
  %wide.load728.6 = load <16 x i8>, ptr %192, align 1, !alias.scope !57, !noalias !60
  %289 = getelementptr i8, ptr %.2296.i.i, i64 192
  %290 = getelementptr i8, ptr %.2296.i.i, i64 208
  %wide.load729.6 = load <16 x i8>, ptr %289, align 1, !alias.scope !63, !noalias !22
  %wide.load730.6 = load <16 x i8>, ptr %290, align 1, !alias.scope !63, !noalias !22
  %wide.load731.6 = load <16 x i8>, ptr %193, align 1, !alias.scope !64, !noalias !22
  %wide.load732.6 = load <16 x i8>, ptr %194, align 1, !alias.scope !64, !noalias !22
  %291 = icmp eq <16 x i8> %wide.load731.6, zeroinitializer
  %292 = icmp eq <16 x i8> %wide.load732.6, zeroinitializer
  %293 = and <16 x i8> %wide.load729.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %294 = and <16 x i8> %wide.load730.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %295 = select <16 x i1> %291, <16 x i8> %293, <16 x i8> zeroinitializer
  %296 = select <16 x i1> %292, <16 x i8> %294, <16 x i8> zeroinitializer
  %297 = or <16 x i8> %295, %wide.load727.6
  %298 = or <16 x i8> %296, %wide.load728.6
  store <16 x i8> %297, ptr %191, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %298, ptr %192, align 1, !alias.scope !57, !noalias !60
  %wide.load727.7 = load <16 x i8>, ptr %195, align 1, !alias.scope !57, !noalias !60
  %wide.load728.7 = load <16 x i8>, ptr %196, align 1, !alias.scope !57, !noalias !60
  %299 = getelementptr i8, ptr %.2296.i.i, i64 224
  %300 = getelementptr i8, ptr %.2296.i.i, i64 240
  %wide.load729.7 = load <16 x i8>, ptr %299, align 1, !alias.scope !63, !noalias !22
  %wide.load730.7 = load <16 x i8>, ptr %300, align 1, !alias.scope !63, !noalias !22
  %wide.load731.7 = load <16 x i8>, ptr %197, align 1, !alias.scope !64, !noalias !22
  %wide.load732.7 = load <16 x i8>, ptr %198, align 1, !alias.scope !64, !noalias !22
  %301 = icmp eq <16 x i8> %wide.load731.7, zeroinitializer
  %302 = icmp eq <16 x i8> %wide.load732.7, zeroinitializer
  %303 = and <16 x i8> %wide.load729.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %304 = and <16 x i8> %wide.load730.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %305 = select <16 x i1> %301, <16 x i8> %303, <16 x i8> zeroinitializer
  %306 = select <16 x i1> %302, <16 x i8> %304, <16 x i8> zeroinitializer
  %307 = or <16 x i8> %305, %wide.load727.7
  %308 = or <16 x i8> %306, %wide.load728.7
  store <16 x i8> %307, ptr %195, align 1, !alias.scope !57, !noalias !60
  store <16 x i8> %308, ptr %196, align 1, !alias.scope !57, !noalias !60
  br label %B1472.loopexit.i.loopexit32.i

B1612.if.i.i:                                     ; preds = %B1472.if.i.i, %B1612.if.i.i
  %.2449.068.i.i = phi i64 [ %.2518.i.i.1, %B1612.if.i.i ], [ 0, %B1472.if.i.i ]
  %.2518.i.i = or i64 %.2449.068.i.i, 1
  %309 = getelementptr i8, ptr %.205.i.i, i64 %.2449.068.i.i
  %.2572.i.i = load i8, ptr %309, align 1, !noalias !22
  %.2601.i.i = getelementptr i8, ptr %.2296.i.i, i64 %.2449.068.i.i
  %.2602.i.i = load i8, ptr %.2601.i.i, align 1, !noalias !22
  %310 = getelementptr i8, ptr %.243.i.i, i64 %.2449.068.i.i
  %.2632.i.i = load i8, ptr %310, align 1, !noalias !22
  %.2634.i.i = icmp eq i8 %.2632.i.i, 0
  %311 = and i8 %.2602.i.i, 1
  %spec.select95.i.i = select i1 %.2634.i.i, i8 %311, i8 0
  %.2674.i.i = or i8 %spec.select95.i.i, %.2572.i.i
  store i8 %.2674.i.i, ptr %309, align 1, !noalias !22
  %.2518.i.i.1 = add nuw nsw i64 %.2449.068.i.i, 2
  %312 = getelementptr i8, ptr %.205.i.i, i64 %.2518.i.i
  %.2572.i.i.1 = load i8, ptr %312, align 1, !noalias !22
  %.2601.i.i.1 = getelementptr i8, ptr %.2296.i.i, i64 %.2518.i.i
  %.2602.i.i.1 = load i8, ptr %.2601.i.i.1, align 1, !noalias !22
  %313 = getelementptr i8, ptr %.243.i.i, i64 %.2518.i.i
  %.2632.i.i.1 = load i8, ptr %313, align 1, !noalias !22
  %.2634.i.i.1 = icmp eq i8 %.2632.i.i.1, 0
  %314 = and i8 %.2602.i.i.1, 1
  %spec.select95.i.i.1 = select i1 %.2634.i.i.1, i8 %314, i8 0
  %.2674.i.i.1 = or i8 %spec.select95.i.i.1, %.2572.i.i.1
  store i8 %.2674.i.i.1, ptr %312, align 1, !noalias !22
  %exitcond.not.i.i.1 = icmp eq i64 %.2518.i.i.1, 256
  br i1 %exitcond.not.i.i.1, label %B1472.loopexit.i.loopexit32.i, label %B1612.if.i.i, !llvm.loop !65

B1862.if.i.i:                                     ; preds = %B1862.loopexit.i.i, %B1862.if.preheader.i.i
  %.2959.077.i.i = phi i64 [ %.3021.i.i, %B1862.loopexit.i.i ], [ %.2891.i.i, %B1862.if.preheader.i.i ]
  %.2956.076.i.i = phi i64 [ %.3025.i.i, %B1862.loopexit.i.i ], [ %.2781.i.i, %B1862.if.preheader.i.i ]
  %.3063.i.i = icmp slt i64 %.2956.076.i.i, 0
  %.3064.i.i = select i1 %.3063.i.i, i64 %.72.i.i, i64 0
  %315 = getelementptr i64, ptr %.78.i.i, i64 %.2956.076.i.i
  %.3078.i.i = getelementptr i64, ptr %315, i64 %.3064.i.i
  %.3079.i.i = load i64, ptr %.3078.i.i, align 8, !noalias !22
  %.3080.i.i = ashr i64 %.3079.i.i, 32
  %.3099.i.i = icmp slt i64 %.3080.i.i, 0
  %.3100.i.i = select i1 %.3099.i.i, i64 %.110.i.i, i64 0
  %.3101.i.i = add i64 %.3100.i.i, %.3080.i.i
  %.3118.i.i = shl i64 %.3101.i.i, 8
  %.3120.i.i = getelementptr i8, ptr %.116.i.i, i64 %.3118.i.i
  %scevgep671 = getelementptr i8, ptr %scevgep670, i64 %.3118.i.i
  %bound0672 = icmp ugt ptr %scevgep671, %.205.i.i
  %bound1673 = icmp ult ptr %.3120.i.i, %scevgep669
  %found.conflict674 = and i1 %bound0672, %bound1673
  br i1 %found.conflict674, label %B1930.if.i.i, label %vector.body677

vector.body677:                                   ; preds = %B1862.if.i.i
  %wide.load679 = load <16 x i8>, ptr %.205.i.i, align 1, !alias.scope !66, !noalias !69
  %wide.load680 = load <16 x i8>, ptr %214, align 1, !alias.scope !66, !noalias !69
  %316 = getelementptr i8, ptr %.3120.i.i, i64 16
  %wide.load681 = load <16 x i8>, ptr %.3120.i.i, align 1, !alias.scope !71, !noalias !22
  %wide.load682 = load <16 x i8>, ptr %316, align 1, !alias.scope !71, !noalias !22
  %317 = or <16 x i8> %wide.load681, %wide.load679
  %318 = or <16 x i8> %wide.load682, %wide.load680
  store <16 x i8> %317, ptr %.205.i.i, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %318, ptr %214, align 1, !alias.scope !66, !noalias !69
  %wide.load679.1 = load <16 x i8>, ptr %215, align 1, !alias.scope !66, !noalias !69
  %wide.load680.1 = load <16 x i8>, ptr %216, align 1, !alias.scope !66, !noalias !69
  %319 = getelementptr i8, ptr %.3120.i.i, i64 32
  %320 = getelementptr i8, ptr %.3120.i.i, i64 48
  %wide.load681.1 = load <16 x i8>, ptr %319, align 1, !alias.scope !71, !noalias !22
  %wide.load682.1 = load <16 x i8>, ptr %320, align 1, !alias.scope !71, !noalias !22
  %321 = or <16 x i8> %wide.load681.1, %wide.load679.1
  %322 = or <16 x i8> %wide.load682.1, %wide.load680.1
  store <16 x i8> %321, ptr %215, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %322, ptr %216, align 1, !alias.scope !66, !noalias !69
  %wide.load679.2 = load <16 x i8>, ptr %217, align 1, !alias.scope !66, !noalias !69
  %wide.load680.2 = load <16 x i8>, ptr %218, align 1, !alias.scope !66, !noalias !69
  %323 = getelementptr i8, ptr %.3120.i.i, i64 64
  %324 = getelementptr i8, ptr %.3120.i.i, i64 80
  %wide.load681.2 = load <16 x i8>, ptr %323, align 1, !alias.scope !71, !noalias !22
  %wide.load682.2 = load <16 x i8>, ptr %324, align 1, !alias.scope !71, !noalias !22
  %325 = or <16 x i8> %wide.load681.2, %wide.load679.2
  %326 = or <16 x i8> %wide.load682.2, %wide.load680.2
  store <16 x i8> %325, ptr %217, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %326, ptr %218, align 1, !alias.scope !66, !noalias !69
  %wide.load679.3 = load <16 x i8>, ptr %219, align 1, !alias.scope !66, !noalias !69
  %wide.load680.3 = load <16 x i8>, ptr %220, align 1, !alias.scope !66, !noalias !69
  %327 = getelementptr i8, ptr %.3120.i.i, i64 96
  %328 = getelementptr i8, ptr %.3120.i.i, i64 112
  %wide.load681.3 = load <16 x i8>, ptr %327, align 1, !alias.scope !71, !noalias !22
  %wide.load682.3 = load <16 x i8>, ptr %328, align 1, !alias.scope !71, !noalias !22
  %329 = or <16 x i8> %wide.load681.3, %wide.load679.3
  %330 = or <16 x i8> %wide.load682.3, %wide.load680.3
  store <16 x i8> %329, ptr %219, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %330, ptr %220, align 1, !alias.scope !66, !noalias !69
  %wide.load679.4 = load <16 x i8>, ptr %221, align 1, !alias.scope !66, !noalias !69
  %wide.load680.4 = load <16 x i8>, ptr %222, align 1, !alias.scope !66, !noalias !69
  %331 = getelementptr i8, ptr %.3120.i.i, i64 128
  %332 = getelementptr i8, ptr %.3120.i.i, i64 144
  %wide.load681.4 = load <16 x i8>, ptr %331, align 1, !alias.scope !71, !noalias !22
  %wide.load682.4 = load <16 x i8>, ptr %332, align 1, !alias.scope !71, !noalias !22
  %333 = or <16 x i8> %wide.load681.4, %wide.load679.4
  %334 = or <16 x i8> %wide.load682.4, %wide.load680.4
  store <16 x i8> %333, ptr %221, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %334, ptr %222, align 1, !alias.scope !66, !noalias !69
  %wide.load679.5 = load <16 x i8>, ptr %223, align 1, !alias.scope !66, !noalias !69
  %wide.load680.5 = load <16 x i8>, ptr %224, align 1, !alias.scope !66, !noalias !69
  %335 = getelementptr i8, ptr %.3120.i.i, i64 160
  %336 = getelementptr i8, ptr %.3120.i.i, i64 176
  %wide.load681.5 = load <16 x i8>, ptr %335, align 1, !alias.scope !71, !noalias !22
  %wide.load682.5 = load <16 x i8>, ptr %336, align 1, !alias.scope !71, !noalias !22
  %337 = or <16 x i8> %wide.load681.5, %wide.load679.5
  %338 = or <16 x i8> %wide.load682.5, %wide.load680.5
  store <16 x i8> %337, ptr %223, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %338, ptr %224, align 1, !alias.scope !66, !noalias !69
  %wide.load679.6 = load <16 x i8>, ptr %225, align 1, !alias.scope !66, !noalias !69
  %wide.load680.6 = load <16 x i8>, ptr %226, align 1, !alias.scope !66, !noalias !69
  %339 = getelementptr i8, ptr %.3120.i.i, i64 192
  %340 = getelementptr i8, ptr %.3120.i.i, i64 208
  %wide.load681.6 = load <16 x i8>, ptr %339, align 1, !alias.scope !71, !noalias !22
  %wide.load682.6 = load <16 x i8>, ptr %340, align 1, !alias.scope !71, !noalias !22
  %341 = or <16 x i8> %wide.load681.6, %wide.load679.6
  %342 = or <16 x i8> %wide.load682.6, %wide.load680.6
  store <16 x i8> %341, ptr %225, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %342, ptr %226, align 1, !alias.scope !66, !noalias !69
  %wide.load679.7 = load <16 x i8>, ptr %227, align 1, !alias.scope !66, !noalias !69
  %wide.load680.7 = load <16 x i8>, ptr %228, align 1, !alias.scope !66, !noalias !69
  %343 = getelementptr i8, ptr %.3120.i.i, i64 224
  %344 = getelementptr i8, ptr %.3120.i.i, i64 240
  %wide.load681.7 = load <16 x i8>, ptr %343, align 1, !alias.scope !71, !noalias !22
  %wide.load682.7 = load <16 x i8>, ptr %344, align 1, !alias.scope !71, !noalias !22
  %345 = or <16 x i8> %wide.load681.7, %wide.load679.7
  %346 = or <16 x i8> %wide.load682.7, %wide.load680.7
  store <16 x i8> %345, ptr %227, align 1, !alias.scope !66, !noalias !69
  store <16 x i8> %346, ptr %228, align 1, !alias.scope !66, !noalias !69
  br label %B1862.loopexit.i.i

B1930.if.i.i:                                     ; preds = %B1862.if.i.i, %B1930.if.i.i
  %.3175.073.i.i = phi i64 [ %.3244.i.i.3, %B1930.if.i.i ], [ 0, %B1862.if.i.i ]
  %.3244.i.i = or i64 %.3175.073.i.i, 1
  %347 = getelementptr i8, ptr %.205.i.i, i64 %.3175.073.i.i
  %.3298.i.i = load i8, ptr %347, align 1, !noalias !22
  %.3327.i.i = getelementptr i8, ptr %.3120.i.i, i64 %.3175.073.i.i
  %.3328.i.i = load i8, ptr %.3327.i.i, align 1, !noalias !22
  %.33313280.i.i = or i8 %.3328.i.i, %.3298.i.i
  store i8 %.33313280.i.i, ptr %347, align 1, !noalias !22
  %.3244.i.i.1 = or i64 %.3175.073.i.i, 2
  %348 = getelementptr i8, ptr %.205.i.i, i64 %.3244.i.i
  %.3298.i.i.1 = load i8, ptr %348, align 1, !noalias !22
  %.3327.i.i.1 = getelementptr i8, ptr %.3120.i.i, i64 %.3244.i.i
  %.3328.i.i.1 = load i8, ptr %.3327.i.i.1, align 1, !noalias !22
  %.33313280.i.i.1 = or i8 %.3328.i.i.1, %.3298.i.i.1
  store i8 %.33313280.i.i.1, ptr %348, align 1, !noalias !22
  %.3244.i.i.2 = or i64 %.3175.073.i.i, 3
  %349 = getelementptr i8, ptr %.205.i.i, i64 %.3244.i.i.1
  %.3298.i.i.2 = load i8, ptr %349, align 1, !noalias !22
  %.3327.i.i.2 = getelementptr i8, ptr %.3120.i.i, i64 %.3244.i.i.1
  %.3328.i.i.2 = load i8, ptr %.3327.i.i.2, align 1, !noalias !22
  %.33313280.i.i.2 = or i8 %.3328.i.i.2, %.3298.i.i.2
  store i8 %.33313280.i.i.2, ptr %349, align 1, !noalias !22
  %.3244.i.i.3 = add nuw nsw i64 %.3175.073.i.i, 4
  %350 = getelementptr i8, ptr %.205.i.i, i64 %.3244.i.i.2
  %.3298.i.i.3 = load i8, ptr %350, align 1, !noalias !22
  %.3327.i.i.3 = getelementptr i8, ptr %.3120.i.i, i64 %.3244.i.i.2
  %.3328.i.i.3 = load i8, ptr %.3327.i.i.3, align 1, !noalias !22
  %.33313280.i.i.3 = or i8 %.3328.i.i.3, %.3298.i.i.3
  store i8 %.33313280.i.i.3, ptr %350, align 1, !noalias !22
  %exitcond103.not.i.i.3 = icmp eq i64 %.3244.i.i.3, 256
  br i1 %exitcond103.not.i.i.3, label %B1862.loopexit.i.i, label %B1930.if.i.i, !llvm.loop !72

B2046.if.i.i:                                     ; preds = %B3695.i.i, %B2178.i.i.1
  %weight.2.084.i.i = phi i64 [ %.3662.i.i.1, %B2178.i.i.1 ], [ 0, %B3695.i.i ]
  %.3414.082.i.i = phi i64 [ %.3483.i.i.1, %B2178.i.i.1 ], [ 0, %B3695.i.i ]
  %.3483.i.i = or i64 %.3414.082.i.i, 1
  %351 = getelementptr i8, ptr %.205.i.i, i64 %.3414.082.i.i
  %.3541.i.i = load i8, ptr %351, align 1, !noalias !22
  %.3542.not.i.i = icmp eq i8 %.3541.i.i, 0
  br i1 %.3542.not.i.i, label %B2178.i.i, label %B2068.i.i

B2466.if.i.i:                                     ; preds = %B3694.i.i, %B2466.if.lr.ph.i.i
  %asked.2.290.i.i = phi i64 [ -1, %B2466.if.lr.ph.i.i ], [ %asked.3.3.i.i, %B3694.i.i ]
  %left.3.289.i.i = phi i64 [ -1, %B2466.if.lr.ph.i.i ], [ %left.4.3.i.i, %B3694.i.i ]
  %n.3.288.i.i = phi i64 [ %n.4.094.i.i, %B2466.if.lr.ph.i.i ], [ %n.6.3.i.i, %B3694.i.i ]
  %.4011.087.i.i = phi i32 [ %.4021.i.i, %B2466.if.lr.ph.i.i ], [ %.4074.i.i, %B3694.i.i ]
  %.4008.086.i.i = phi i32 [ %.3952.i.i, %B2466.if.lr.ph.i.i ], [ %.4078.i.i, %B3694.i.i ]
  %.4074.i.i = add nsw i32 %.4011.087.i.i, -1
  %.4078.i.i = add i32 %.4008.086.i.i, 1
  %352 = sext i32 %.4008.086.i.i to i64
  %.4121.i.i = icmp slt i32 %.4008.086.i.i, 0
  %.4122.i.i = select i1 %.4121.i.i, i64 %.360.i.i, i64 0
  %353 = getelementptr i32, ptr %.366.i.i167, i64 %352
  %.4136.i.i = getelementptr i32, ptr %353, i64 %.4122.i.i
  %.4137.i.i = load i32, ptr %.4136.i.i, align 4, !noalias !22
  %.4139.i.i = sext i32 %.4137.i.i to i64
  %.4140.i.i = icmp slt i64 %reach.2.063.i.i, %.4139.i.i
  br i1 %.4140.i.i, label %B3693.i.i, label %B2500.i.i

B2864.if.i.i:                                     ; preds = %B36.if.i.i.i.i
  %.198.i.i.i.i = load ptr, ptr %excinfo.1.i.i.i.i, align 8, !noalias !45
  br label %B250.if.i

B2864.endif.i.i:                                  ; preds = %B38.endif.i.i.i.i, %B36.i.i.i.i
  %.391.0.ph.i.i.i = phi i64 [ %.207.i.i.i.i, %B38.endif.i.i.i.i ], [ %state.2.0.i.i.i.i, %B36.i.i.i.i ]
  br label %B3182.i.i

B3050.if.i.i:                                     ; preds = %B3050.i.i
  %.4970.i.i = load ptr, ptr %excinfo.6.i.i, align 8, !noalias !22
  br label %B250.if.i

B3050.endif.i.i:                                  ; preds = %B3050.i.i
  %.4979.i.i = load i64, ptr %.4963.i.i, align 8, !noalias !22
  br label %B3082.i.i

B3118.if.i.i:                                     ; preds = %B3118.i.i
  %.5014.i.i = load ptr, ptr %excinfo.7.i.i, align 8, !noalias !22
  br label %B250.if.i

B3118.endif.i.i:                                  ; preds = %B3118.i.i
  %.5023.i.i = load i64, ptr %.5007.i.i, align 8, !noalias !22
  br label %B3182.i.i

B3556.if.i.i:                                     ; preds = %B3556.i.i
  %.5525.i.i = load ptr, ptr %excinfo.10.i.i, align 8, !noalias !22
  br label %B250.if.i

B3556.endif.i.i:                                  ; preds = %B3556.i.i
  %.5534.i.i = load i64, ptr %.5518.i.i, align 8, !noalias !22
  %.5552.i.i = icmp eq i64 %.5534.i.i, -3
  br i1 %.5552.i.i, label %B250.endif.sink.split.i, label %B3694.i.i

B304.i:                                           ; preds = %B276
  store i64 0, ptr %.1324.i.i, align 8, !noalias !73
  store i64 0, ptr %.2081.i.i, align 8, !noalias !73
  store ptr null, ptr %excinfo.11.i.i, align 8, !noalias !73
  store i64 0, ptr %.2132.i.i, align 8, !noalias !73
  store ptr null, ptr %excinfo.12.i.i, align 8, !noalias !73
  %.29.i182.i = getelementptr i8, ptr %.19, i64 120
  %.30.i183.i = load i64, ptr %.29.i182.i, align 8, !noalias !73
  %.32.i.i = getelementptr i8, ptr %.19, i64 136
  %.33.i.i = load i64, ptr %.32.i.i, align 8, !noalias !73
  %.39.i.i = inttoptr i64 %.30.i183.i to ptr
  %.93.i.i = icmp slt i64 %arg.x, 0
  %.94.i.i = select i1 %.93.i.i, i64 %.33.i.i, i64 0
  %.95.i.i = add i64 %.94.i.i, %arg.x
  %.idx.i184.i = shl i64 %.95.i.i, 6
  %354 = getelementptr i8, ptr %.39.i.i, i64 %.idx.i184.i
  %.119.i.i = getelementptr i8, ptr %354, i64 32
  %.120.i.i = load i64, ptr %.119.i.i, align 8, !noalias !73
  %.121.i.i = and i64 %.120.i.i, 4
  %.130.i.i = getelementptr i8, ptr %.19, i64 792
  %.131.i.i = load i64, ptr %.130.i.i, align 8, !noalias !73
  %.133.i.i = getelementptr i8, ptr %.19, i64 808
  %.134.i.i = load i64, ptr %.133.i.i, align 8, !noalias !73
  %.140.i.i = inttoptr i64 %.131.i.i to ptr
  %.174.i.i = getelementptr i8, ptr %.19, i64 456
  %.175.i.i = load i64, ptr %.174.i.i, align 8, !noalias !73
  %.177.i.i = getelementptr i8, ptr %.19, i64 472
  %.178.i.i = load i64, ptr %.177.i.i, align 8, !noalias !73
  %.184.i.i144 = inttoptr i64 %.175.i.i to ptr
  %.212.i.i = getelementptr i8, ptr %.19, i64 480
  %.213.i.i = load i64, ptr %.212.i.i, align 8, !noalias !73
  %.215.i.i = getelementptr i8, ptr %.19, i64 496
  %.216.i.i = load i64, ptr %.215.i.i, align 8, !noalias !73
  %.222.i.i = inttoptr i64 %.213.i.i to ptr
  %.250.i.i = getelementptr i8, ptr %.19, i64 504
  %.251.i.i = load i64, ptr %.250.i.i, align 8, !noalias !73
  %.253.i.i = getelementptr i8, ptr %.19, i64 520
  %.254.i.i = load i64, ptr %.253.i.i, align 8, !noalias !73
  %.260.i.i = inttoptr i64 %.251.i.i to ptr
  %.297.i.i = getelementptr i8, ptr %.19, i64 432
  %.298.i.i = load i64, ptr %.297.i.i, align 8, !noalias !73
  %.300.i.i = getelementptr i8, ptr %.19, i64 448
  %.301.i.i = load i64, ptr %.300.i.i, align 8, !noalias !73
  %.307.i.i = inttoptr i64 %.298.i.i to ptr
  %.335.i.i = getelementptr i8, ptr %.19, i64 408
  %.336.i.i = load i64, ptr %.335.i.i, align 8, !noalias !73
  %.338.i.i145 = getelementptr i8, ptr %.19, i64 424
  %.339.i.i146 = load i64, ptr %.338.i.i145, align 8, !noalias !73
  %.345.i.i = inttoptr i64 %.336.i.i to ptr
  %.373.i.i = getelementptr i8, ptr %.19, i64 384
  %.374.i.i = load i64, ptr %.373.i.i, align 8, !noalias !73
  %.383.i.i = inttoptr i64 %.374.i.i to ptr
  br i1 %.122, label %B648.thread.i.i, label %B648.i.i

B648.thread.i.i:                                  ; preds = %B304.i
  %.610.i230.i = shl i64 %arg.x, 32
  %.614.i.i = add nsw i64 %arg.y, 1
  %.617.i.i = or i64 %.614.i.i, %.610.i230.i
  store i64 0, ptr %.307.i.i, align 8, !noalias !73
  %.676.i.i = getelementptr i8, ptr %.307.i.i, i64 8
  store i64 %.617.i.i, ptr %.676.i.i, align 8, !noalias !73
  br label %B662.preheader.i.i

B648.i.i:                                         ; preds = %B304.i
  %.493.i.i = add nsw i64 %.121, -1
  %.522.i.i = getelementptr i8, ptr %.19, i64 904
  %.523.i.i = load i64, ptr %.522.i.i, align 8, !noalias !73
  %.552.i.i = getelementptr i8, ptr %.19, i64 912
  %.553.i.i = load i64, ptr %.552.i.i, align 8, !noalias !73
  store i64 0, ptr %.120, align 8, !noalias !73
  %.699.not.i.i = icmp sgt i64 %.121, %.523.i.i
  br i1 %.699.not.i.i, label %B304.endif.i, label %B662.preheader.i.i

B662.preheader.i.i:                               ; preds = %B648.i.i, %B648.thread.i.i
  %front.3.0163.i.i = phi i64 [ 0, %B648.thread.i.i ], [ %.493.i.i, %B648.i.i ]
  %size.3.0162.i.i = phi i64 [ 2, %B648.thread.i.i ], [ %.523.i.i, %B648.i.i ]
  %n.4.0161.i.i = phi i64 [ 0, %B648.thread.i.i ], [ %.553.i.i, %B648.i.i ]
  %.912.i.i = getelementptr i8, ptr %.19, i64 848
  %.49.i.i185.i = getelementptr i8, ptr %.19, i64 416
  %.49.i1614.i.i = getelementptr i8, ptr %.19, i64 440
  %.67.i.i.i147 = getelementptr i8, ptr %.19, i64 96
  %.70.i.i.i148 = getelementptr i8, ptr %.19, i64 112
  %.104.i.i.i149 = getelementptr i8, ptr %.19, i64 192
  %.107.i.i186.i = getelementptr i8, ptr %.19, i64 208
  %.157.i.i.i = getelementptr i8, ptr %.19, i64 400
  %.191.i.i.i = getelementptr i8, ptr %.19, i64 360
  %.194.i.i.i = getelementptr i8, ptr %.19, i64 376
  %.63.i.i187.i = getelementptr i8, ptr %.19, i64 528
  br label %B662.i.i

B662.i.i:                                         ; preds = %B2498.i.i, %B662.preheader.i.i
  %n.3.0.i.i = phi i64 [ %n.5.1.lcssa.i.i, %B2498.i.i ], [ %n.4.0161.i.i, %B662.preheader.i.i ]
  %size.4.0.i.i = phi i64 [ %size.5.1.lcssa.i.i, %B2498.i.i ], [ %size.3.0162.i.i, %B662.preheader.i.i ]
  %front.4.0.i.i = phi i64 [ %.2724.i.i, %B2498.i.i ], [ %front.3.0163.i.i, %B662.preheader.i.i ]
  %.724.i.i = icmp slt i64 %front.4.0.i.i, 0
  %.725.i.i = select i1 %.724.i.i, i64 %.301.i.i, i64 0
  %355 = getelementptr i64, ptr %.307.i.i, i64 %front.4.0.i.i
  %.739.i.i = getelementptr i64, ptr %355, i64 %.725.i.i
  %.740.i.i = load i64, ptr %.739.i.i, align 8, !noalias !73
  %.756.i.i150 = icmp slt i64 %front.4.0.i.i, -1
  %.757.i.i = select i1 %.756.i.i150, i64 %.301.i.i, i64 0
  %356 = getelementptr i8, ptr %355, i64 8
  %.771.i.i = getelementptr i64, ptr %356, i64 %.757.i.i
  %.772.i.i = load i64, ptr %.771.i.i, align 8, !noalias !73
  %.773.i.i = ashr i64 %.772.i.i, 32
  %.806.i.i = and i64 %.772.i.i, 4294967295
  %.807.i.i = add nsw i64 %.806.i.i, -1
  %.827.i.i = icmp slt i64 %.740.i.i, 0
  %.828.i.i = select i1 %.827.i.i, i64 %.216.i.i, i64 0
  %357 = getelementptr i32, ptr %.222.i.i, i64 %.740.i.i
  %.842.i188.i = getelementptr i32, ptr %357, i64 %.828.i.i
  %.843.i.i = load i32, ptr %.842.i188.i, align 4, !noalias !73
  %.844.i.i = sext i32 %.843.i.i to i64
  %.859.i.i = icmp slt i64 %.740.i.i, -1
  %.860.i.i = select i1 %.859.i.i, i64 %.216.i.i, i64 0
  %358 = getelementptr i8, ptr %357, i64 4
  %.874.i.i = getelementptr i32, ptr %358, i64 %.860.i.i
  %.875.i.i = load i32, ptr %.874.i.i, align 4, !noalias !73
  %.876.i.i = sext i32 %.875.i.i to i64
  %.913.i.i = load i64, ptr %.912.i.i, align 8, !noalias !73
  %.916.i.i = sub nsw i64 %.876.i.i, %.844.i.i
  %.917.i.i = mul nsw i64 %.916.i.i, %.913.i.i
  %.50.i.i189.i = load i64, ptr %.49.i.i185.i, align 8, !noalias !77
  %.919.i.i = add i64 %.50.i.i189.i, %n.3.0.i.i
  %.51.i.i190.i = add i64 %.919.i.i, %.917.i.i
  %.83.i.i191.i = load i64, ptr %.338.i.i145, align 8, !noalias !77
  %.84.not.i.i192.i = icmp sgt i64 %.51.i.i190.i, %.83.i.i191.i
  br i1 %.84.not.i.i192.i, label %B914.i.i, label %B950.i.i

B914.i.i:                                         ; preds = %B662.i.i
  %.122.i.i228.i = getelementptr i8, ptr %.19, i64 816
  store i64 51, ptr %.122.i.i228.i, align 8, !noalias !77
  br label %B304.endif.sink.split.i

B950.i.i:                                         ; preds = %B662.i.i
  %.1030.i.i = shl nsw i64 %.916.i.i, 1
  %.1032.i.i = add nsw i64 %.1030.i.i, %size.4.0.i.i
  %.50.i1615.i.i = load i64, ptr %.49.i1614.i.i, align 8, !noalias !80
  %.51.i1616.i.i = add nsw i64 %.1032.i.i, %.50.i1615.i.i
  %.83.i1618.i.i = load i64, ptr %.300.i.i, align 8, !noalias !80
  %.84.not.i1619.i.i = icmp sgt i64 %.51.i1616.i.i, %.83.i1618.i.i
  br i1 %.84.not.i1619.i.i, label %B1012.i.i, label %B1064.if.preheader.i.i

B1064.if.preheader.i.i:                           ; preds = %B950.i.i
  %.1223.i.i = icmp sgt i64 %.773.i.i, -1
  br i1 %.1223.i.i, label %B1080.i.i, label %B1240.i.i

B1012.i.i:                                        ; preds = %B950.i.i
  %.122.i1622.i.i = getelementptr i8, ptr %.19, i64 816
  store i64 54, ptr %.122.i1622.i.i, align 8, !noalias !80
  br label %B304.endif.sink.split.i

B1080.i.i:                                        ; preds = %B1064.if.preheader.i.i
  %arg.m.4.val.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !73
  %.33.i.i.i = inttoptr i64 %arg.m.4.val.i.i to ptr
  %.113.idx.i.i.i = shl nuw nsw i64 %.773.i.i, 6
  %.113.i.i227.i = getelementptr i8, ptr %.33.i.i.i, i64 %.113.idx.i.i.i
  %.114.i.i.i159 = load i64, ptr %.113.i.i227.i, align 8, !noalias !83
  %.115.not.i.i.i = icmp eq i64 %.114.i.i.i159, -4
  br i1 %.115.not.i.i.i, label %states.first_time.exit.i.i, label %B1112.i.i

states.first_time.exit.i.i:                       ; preds = %B1080.i.i
  store i64 -5, ptr %.113.i.i227.i, align 8, !noalias !83
  br label %B1240.i.i

B1112.i.i:                                        ; preds = %B1080.i.i
  %.1317.i.i = getelementptr i8, ptr %.39.i.i, i64 %.113.idx.i.i.i
  %.1318.i.i = load i64, ptr %.1317.i.i, align 8, !noalias !73
  %.1319.i.i = icmp slt i64 %.1318.i.i, 0
  br i1 %.1319.i.i, label %B1150.i.i, label %B1240.i.i

B1150.i.i:                                        ; preds = %B1112.i.i
  store i64 0, ptr %.1324.i.i, align 8, !noalias !73
  call fastcc void @states.new_row(ptr %.1324.i.i, ptr nonnull %.19, i64 %.773.i.i)
  %.1340.i.i = load i64, ptr %.1324.i.i, align 8, !noalias !73
  %.1352.i.i = icmp eq i64 %.1340.i.i, -3
  br i1 %.1352.i.i, label %B304.endif.sink.split.i, label %B1240.i.i

B1240.i.i:                                        ; preds = %B1150.i.i, %B1112.i.i, %states.first_time.exit.i.i, %B1064.if.preheader.i.i
  %.1223.1.not.i.i = icmp eq i64 %.806.i.i, 0
  br i1 %.1223.1.not.i.i, label %B1240.1.i.i, label %B1080.1.i.i

B1080.1.i.i:                                      ; preds = %B1240.i.i
  %arg.m.4.val.1.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !73
  %.33.i.1.i.i = inttoptr i64 %arg.m.4.val.1.i.i to ptr
  %.113.idx.i.1.i.i = shl nuw nsw i64 %.807.i.i, 6
  %.113.i.1.i.i = getelementptr i8, ptr %.33.i.1.i.i, i64 %.113.idx.i.1.i.i
  %.114.i.1.i.i151 = load i64, ptr %.113.i.1.i.i, align 8, !noalias !83
  %.115.not.i.1.i.i = icmp eq i64 %.114.i.1.i.i151, -4
  br i1 %.115.not.i.1.i.i, label %states.first_time.exit.1.i.i, label %B1112.1.i.i

B1112.1.i.i:                                      ; preds = %B1080.1.i.i
  %.1317.1.i.i = getelementptr i8, ptr %.39.i.i, i64 %.113.idx.i.1.i.i
  %.1318.1.i.i = load i64, ptr %.1317.1.i.i, align 8, !noalias !73
  %.1319.1.i.i = icmp slt i64 %.1318.1.i.i, 0
  br i1 %.1319.1.i.i, label %B1150.1.i.i, label %B1240.1.i.i

B1150.1.i.i:                                      ; preds = %B1112.1.i.i
  store i64 0, ptr %.1324.i.i, align 8, !noalias !73
  call fastcc void @states.new_row(ptr %.1324.i.i, ptr nonnull %.19, i64 %.807.i.i)
  %.1340.1.i.i = load i64, ptr %.1324.i.i, align 8, !noalias !73
  %.1352.1.i.i = icmp eq i64 %.1340.1.i.i, -3
  br i1 %.1352.1.i.i, label %B304.endif.sink.split.i, label %B1240.1.i.i

states.first_time.exit.1.i.i:                     ; preds = %B1080.1.i.i
  store i64 -5, ptr %.113.i.1.i.i, align 8, !noalias !83
  br label %B1240.1.i.i

B1240.1.i.i:                                      ; preds = %states.first_time.exit.1.i.i, %B1150.1.i.i, %B1112.1.i.i, %B1240.i.i
  %.27.i.i193.i = load i64, ptr %.29.i182.i, align 8, !noalias !86
  %.36.i.i194.i = inttoptr i64 %.27.i.i193.i to ptr
  %.68.i.i.i = load i64, ptr %.67.i.i.i147, align 8, !noalias !86
  %.71.i.i.i = load i64, ptr %.70.i.i.i148, align 8, !noalias !86
  %.77.i.i.i = inttoptr i64 %.68.i.i.i to ptr
  %.105.i.i.i152 = load i64, ptr %.104.i.i.i149, align 8, !noalias !86
  %.108.i.i.i153 = load i64, ptr %.107.i.i186.i, align 8, !noalias !86
  %.114.i1632.i.i = inttoptr i64 %.105.i.i.i152 to ptr
  %.155.i.i.i = load i64, ptr %.373.i.i, align 8, !noalias !86
  %.158.i.i.i = load i64, ptr %.157.i.i.i, align 8, !noalias !86
  %.164.i.i.i = inttoptr i64 %.155.i.i.i to ptr
  %.192.i.i195.i = load i64, ptr %.191.i.i.i, align 8, !noalias !86
  %.195.i.i.i = load i64, ptr %.194.i.i.i, align 8, !noalias !86
  %.201.i.i.i = inttoptr i64 %.192.i.i195.i to ptr
  %.228.i.i.i = icmp slt i64 %.773.i.i, 0
  %or.cond.i.i.i = or i1 %.228.i.i.i, %.1223.1.not.i.i
  %.433.i.i.i = icmp slt i64 %.158.i.i.i, 1
  br i1 %or.cond.i.i.i, label %B238.else.endif.i.i.i, label %B256.else.endif.i.i.i

B538.i.i.i:                                       ; preds = %.804.if.i.i.i, %B808.i.i.i
  %i.4.0.i.i.i = phi i64 [ %i.5.2.i.i.i, %B808.i.i.i ], [ %.905.i.i.i, %.804.if.i.i.i ]
  %j.6.0.i.i.i = phi i64 [ %j.7.2.i.i.i, %B808.i.i.i ], [ %.1083.i.i.i, %.804.if.i.i.i ]
  %theirs.3.0.i.i.i = phi i64 [ %theirs.4.2.i.i.i, %B808.i.i.i ], [ 0, %.804.if.i.i.i ]
  %mine.2.0.i.i.i = phi i64 [ %mine.3.2.i.i.i, %B808.i.i.i ], [ 0, %.804.if.i.i.i ]
  %.1273.i.i.i = icmp slt i64 %i.4.0.i.i.i, %.1018.i.i.i
  %.1277.i.i.i = icmp slt i64 %j.6.0.i.i.i, %.1198.i.i.i
  %or.cond1394.i.i.i = select i1 %.1273.i.i.i, i1 %.1277.i.i.i, i1 false
  br i1 %or.cond1394.i.i.i, label %B562.i.i.i, label %B620.i.i.i

B562.i.i.i:                                       ; preds = %B538.i.i.i
  %.1293.i.i.i = icmp slt i64 %i.4.0.i.i.i, 0
  %.1294.i.i.i = select i1 %.1293.i.i.i, i64 %.71.i.i.i, i64 0
  %359 = getelementptr i64, ptr %.77.i.i.i, i64 %i.4.0.i.i.i
  %.1308.i.i.i = getelementptr i64, ptr %359, i64 %.1294.i.i.i
  %.1309.i.i.i = load i64, ptr %.1308.i.i.i, align 8, !noalias !86
  %.1324.i.i.i = icmp slt i64 %j.6.0.i.i.i, 0
  %.1325.i.i.i = select i1 %.1324.i.i.i, i64 %.71.i.i.i, i64 0
  %360 = getelementptr i64, ptr %.77.i.i.i, i64 %j.6.0.i.i.i
  %.1339.i.i.i = getelementptr i64, ptr %360, i64 %.1325.i.i.i
  %.1340.i.i.i = load i64, ptr %.1339.i.i.i, align 8, !noalias !86
  %.1341.i.i.i = icmp eq i64 %.1309.i.i.i, %.1340.i.i.i
  br i1 %.1341.i.i.i, label %B598.i.i.i, label %B620.i.i.i

B598.i.i.i:                                       ; preds = %B562.i.i.i
  %.1356.i.i.i = add nsw i64 %i.4.0.i.i.i, 1
  %.1363.i.i.i = add nsw i64 %j.6.0.i.i.i, 1
  br label %B808.i.i.i

B620.i.i.i:                                       ; preds = %B562.i.i.i, %B538.i.i.i
  %.1372.i.i.i = add nsw i64 %mine.2.0.i.i.i, %theirs.3.0.i.i.i
  %.1373.i.i.i = icmp eq i64 %.1372.i.i.i, 256
  br i1 %.1373.i.i.i, label %B638.else.endif.i.i.i, label %B656.i.i.i

B656.i.i.i:                                       ; preds = %B620.i.i.i
  %.1700.i.i.i = icmp eq i64 %j.6.0.i.i.i, %.1198.i.i.i
  br i1 %.1700.i.i.i, label %B716.i.i.i, label %B668.i.i.i

B668.i.i.i:                                       ; preds = %B656.i.i.i
  br i1 %.1273.i.i.i, label %B680.i.i.i, label %B760.i.i.i

B680.i.i.i:                                       ; preds = %B668.i.i.i
  %.1720.i.i.i = icmp slt i64 %i.4.0.i.i.i, 0
  %.1721.i.i.i = select i1 %.1720.i.i.i, i64 %.71.i.i.i, i64 0
  %361 = getelementptr i64, ptr %.77.i.i.i, i64 %i.4.0.i.i.i
  %.1735.i.i.i = getelementptr i64, ptr %361, i64 %.1721.i.i.i
  %.1736.i.i.i = load i64, ptr %.1735.i.i.i, align 8, !noalias !86
  %.1751.i.i.i = icmp slt i64 %j.6.0.i.i.i, 0
  %.1752.i.i.i = select i1 %.1751.i.i.i, i64 %.71.i.i.i, i64 0
  %362 = getelementptr i64, ptr %.77.i.i.i, i64 %j.6.0.i.i.i
  %.1766.i.i.i = getelementptr i64, ptr %362, i64 %.1752.i.i.i
  %.1767.i.i.i = load i64, ptr %.1766.i.i.i, align 8, !noalias !86
  %.1768.i.i.i = icmp slt i64 %.1736.i.i.i, %.1767.i.i.i
  br i1 %.1768.i.i.i, label %B716.i.i.i, label %B760.i.i.i

B716.i.i.i:                                       ; preds = %B656.i.i.i, %B680.i.i.i
  %.1794.i.i.i = icmp slt i64 %i.4.0.i.i.i, 0
  %.1795.i.i.i = select i1 %.1794.i.i.i, i64 %.71.i.i.i, i64 0
  %363 = getelementptr i64, ptr %.77.i.i.i, i64 %i.4.0.i.i.i
  %.1809.i.i.i = getelementptr i64, ptr %363, i64 %.1795.i.i.i
  %.1810.i.i.i = load i64, ptr %.1809.i.i.i, align 8, !noalias !86
  %.1825.i.i.i = icmp slt i64 %mine.2.0.i.i.i, 0
  %.1826.i.i.i = select i1 %.1825.i.i.i, i64 %.195.i.i.i, i64 0
  %364 = getelementptr i64, ptr %.201.i.i.i, i64 %mine.2.0.i.i.i
  %.1840.i.i.i = getelementptr i64, ptr %364, i64 %.1826.i.i.i
  store i64 %.1810.i.i.i, ptr %.1840.i.i.i, align 8, !noalias !86
  %.1843.i.i.i = add nsw i64 %i.4.0.i.i.i, 1
  %.1847.i.i.i = add i64 %mine.2.0.i.i.i, 1
  br label %B808.i.i.i

B760.i.i.i:                                       ; preds = %B668.i.i.i, %B680.i.i.i
  %.1879.i.i.i = icmp slt i64 %j.6.0.i.i.i, 0
  %.1880.i.i.i = select i1 %.1879.i.i.i, i64 %.71.i.i.i, i64 0
  %365 = getelementptr i64, ptr %.77.i.i.i, i64 %j.6.0.i.i.i
  %.1894.i.i.i = getelementptr i64, ptr %365, i64 %.1880.i.i.i
  %.1895.i.i.i = load i64, ptr %.1894.i.i.i, align 8, !noalias !86
  %.1911.i.i.i = icmp sgt i64 %theirs.3.0.i.i.i, 256
  %.1912.i.i.i = select i1 %.1911.i.i.i, i64 %.195.i.i.i, i64 0
  %reass.sub.i.i.i = sub i64 %.1912.i.i.i, %theirs.3.0.i.i.i
  %366 = getelementptr i64, ptr %.201.i.i.i, i64 %reass.sub.i.i.i
  %.1926.i.i.i = getelementptr i8, ptr %366, i64 2048
  store i64 %.1895.i.i.i, ptr %.1926.i.i.i, align 8, !noalias !86
  %.1929.i.i.i = add nsw i64 %j.6.0.i.i.i, 1
  %.1933.i.i.i = add nsw i64 %theirs.3.0.i.i.i, 1
  br label %B808.i.i.i

B808.i.i.i:                                       ; preds = %B760.i.i.i, %B716.i.i.i, %B598.i.i.i
  %theirs.4.2.i.i.i = phi i64 [ %theirs.3.0.i.i.i, %B598.i.i.i ], [ %theirs.3.0.i.i.i, %B716.i.i.i ], [ %.1933.i.i.i, %B760.i.i.i ]
  %mine.3.2.i.i.i = phi i64 [ %mine.2.0.i.i.i, %B598.i.i.i ], [ %.1847.i.i.i, %B716.i.i.i ], [ %mine.2.0.i.i.i, %B760.i.i.i ]
  %i.5.2.i.i.i = phi i64 [ %.1356.i.i.i, %B598.i.i.i ], [ %.1843.i.i.i, %B716.i.i.i ], [ %i.4.0.i.i.i, %B760.i.i.i ]
  %j.7.2.i.i.i = phi i64 [ %.1363.i.i.i, %B598.i.i.i ], [ %j.6.0.i.i.i, %B716.i.i.i ], [ %.1929.i.i.i, %B760.i.i.i ]
  %.1943.i.i.i = icmp slt i64 %i.5.2.i.i.i, %.1018.i.i.i
  %.1953.i.i.i = icmp slt i64 %j.7.2.i.i.i, %.1198.i.i.i
  %or.cond1395.i.i.i = select i1 %.1943.i.i.i, i1 true, i1 %.1953.i.i.i
  br i1 %or.cond1395.i.i.i, label %B538.i.i.i, label %B832.thread.i.i.i

B832.thread.i.i.i:                                ; preds = %B808.i.i.i
  %.206727.not.i.i.i = icmp slt i64 %mine.3.2.i.i.i, 1
  br i1 %.206727.not.i.i.i, label %B1318.i.i.i, label %B862.if.lr.ph.i.i.i

B862.if.lr.ph.i.i.i:                              ; preds = %B832.thread.i.i.i
  %.2259.i.i.i = getelementptr i8, ptr %.201.i.i.i, i64 2048
  %scevgep629 = getelementptr i8, ptr %.164.i.i.i, i64 256
  %scevgep630 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %scevgep632 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %scevgep653 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %367 = getelementptr i8, ptr %.164.i.i.i, i64 16
  %368 = getelementptr i8, ptr %.164.i.i.i, i64 32
  %369 = getelementptr i8, ptr %.164.i.i.i, i64 48
  %370 = getelementptr i8, ptr %.164.i.i.i, i64 64
  %371 = getelementptr i8, ptr %.164.i.i.i, i64 80
  %372 = getelementptr i8, ptr %.164.i.i.i, i64 96
  %373 = getelementptr i8, ptr %.164.i.i.i, i64 112
  %374 = getelementptr i8, ptr %.164.i.i.i, i64 128
  %375 = getelementptr i8, ptr %.164.i.i.i, i64 144
  %376 = getelementptr i8, ptr %.164.i.i.i, i64 160
  %377 = getelementptr i8, ptr %.164.i.i.i, i64 176
  %378 = getelementptr i8, ptr %.164.i.i.i, i64 192
  %379 = getelementptr i8, ptr %.164.i.i.i, i64 208
  %380 = getelementptr i8, ptr %.164.i.i.i, i64 224
  %381 = getelementptr i8, ptr %.164.i.i.i, i64 240
  %382 = getelementptr i8, ptr %.164.i.i.i, i64 16
  %383 = getelementptr i8, ptr %.164.i.i.i, i64 32
  %384 = getelementptr i8, ptr %.164.i.i.i, i64 48
  %385 = getelementptr i8, ptr %.164.i.i.i, i64 64
  %386 = getelementptr i8, ptr %.164.i.i.i, i64 80
  %387 = getelementptr i8, ptr %.164.i.i.i, i64 96
  %388 = getelementptr i8, ptr %.164.i.i.i, i64 112
  %389 = getelementptr i8, ptr %.164.i.i.i, i64 128
  %390 = getelementptr i8, ptr %.164.i.i.i, i64 144
  %391 = getelementptr i8, ptr %.164.i.i.i, i64 160
  %392 = getelementptr i8, ptr %.164.i.i.i, i64 176
  %393 = getelementptr i8, ptr %.164.i.i.i, i64 192
  %394 = getelementptr i8, ptr %.164.i.i.i, i64 208
  %395 = getelementptr i8, ptr %.164.i.i.i, i64 224
  %396 = getelementptr i8, ptr %.164.i.i.i, i64 240
  br label %B862.if.i.i.i

B922.i.i.i:                                       ; preds = %B862.if.i.i.i
  %.2260.i.i.i = load i64, ptr %.2259.i.i.i, align 8, !noalias !86
  %397 = xor i64 %.2260.i.i.i, %.2138.i.i.i
  %398 = and i64 %397, 4294967295
  %.2296.not.i.i.i = icmp eq i64 %398, 0
  br i1 %.2296.not.i.i.i, label %B1046.i.i.i, label %B970.i.i.i

B970.i.i.i:                                       ; preds = %B922.i.i.i, %B998.i.i.i
  %j.8.2.i.i.i = phi i64 [ %.2302.i.i.i, %B998.i.i.i ], [ 256, %B922.i.i.i ]
  %.2302.i.i.i = add nsw i64 %j.8.2.i.i.i, -1
  %.2314.i.i.i = icmp sgt i64 %.2302.i.i.i, %.2219.i.i.i
  br i1 %.2314.i.i.i, label %B998.i.i.i, label %vector.memcheck652

B998.i.i.i:                                       ; preds = %B970.i.i.i
  %.2336.inv.i.i.i = icmp sgt i64 %j.8.2.i.i.i, 0
  %.2337.i.i.i = select i1 %.2336.inv.i.i.i, i64 0, i64 %.195.i.i.i
  %399 = getelementptr i64, ptr %.201.i.i.i, i64 %.2302.i.i.i
  %.2351.i.i.i = getelementptr i64, ptr %399, i64 %.2337.i.i.i
  %.2352.i.i.i = load i64, ptr %.2351.i.i.i, align 8, !noalias !86
  %400 = xor i64 %.2352.i.i.i, %.2138.i.i.i
  %401 = and i64 %400, 4294967295
  %.2388.not.i.i.i = icmp eq i64 %401, 0
  br i1 %.2388.not.i.i.i, label %B1046.i.i.i, label %B970.i.i.i

B1046.i.i.i:                                      ; preds = %B998.i.i.i, %B862.if.i.i.i, %B922.i.i.i
  %j.9.1.i.i.i = phi i64 [ 256, %B922.i.i.i ], [ 256, %B862.if.i.i.i ], [ %.2302.i.i.i, %B998.i.i.i ]
  %.2406.i.i.i = icmp sgt i64 %j.9.1.i.i.i, %.2219.i.i.i
  br i1 %.2406.i.i.i, label %B1064.i.i.i, label %vector.memcheck652

vector.memcheck652:                               ; preds = %B970.i.i.i, %B1046.i.i.i
  %scevgep654 = getelementptr i8, ptr %scevgep653, i64 %.2177.i.i.i
  %bound0655 = icmp ugt ptr %scevgep654, %.164.i.i.i
  %bound1656 = icmp ult ptr %.2179.i.i.i, %scevgep629
  %found.conflict657 = and i1 %bound0655, %bound1656
  br i1 %found.conflict657, label %B1266.if.i.i.i, label %vector.body660

vector.body660:                                   ; preds = %vector.memcheck652
  %wide.load662 = load <16 x i8>, ptr %.164.i.i.i, align 1, !alias.scope !89, !noalias !92
  %wide.load663 = load <16 x i8>, ptr %367, align 1, !alias.scope !89, !noalias !92
  %402 = getelementptr i8, ptr %.2179.i.i.i, i64 16
  %wide.load664 = load <16 x i8>, ptr %.2179.i.i.i, align 1, !alias.scope !94, !noalias !86
  %wide.load665 = load <16 x i8>, ptr %402, align 1, !alias.scope !94, !noalias !86
  %403 = or <16 x i8> %wide.load664, %wide.load662
  %404 = or <16 x i8> %wide.load665, %wide.load663
  store <16 x i8> %403, ptr %.164.i.i.i, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %404, ptr %367, align 1, !alias.scope !89, !noalias !92
  %wide.load662.1 = load <16 x i8>, ptr %368, align 1, !alias.scope !89, !noalias !92
  %wide.load663.1 = load <16 x i8>, ptr %369, align 1, !alias.scope !89, !noalias !92
  %405 = getelementptr i8, ptr %.2179.i.i.i, i64 32
  %406 = getelementptr i8, ptr %.2179.i.i.i, i64 48
  %wide.load664.1 = load <16 x i8>, ptr %405, align 1, !alias.scope !94, !noalias !86
  %wide.load665.1 = load <16 x i8>, ptr %406, align 1, !alias.scope !94, !noalias !86
  %407 = or <16 x i8> %wide.load664.1, %wide.load662.1
  %408 = or <16 x i8> %wide.load665.1, %wide.load663.1
  store <16 x i8> %407, ptr %368, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %408, ptr %369, align 1, !alias.scope !89, !noalias !92
  %wide.load662.2 = load <16 x i8>, ptr %370, align 1, !alias.scope !89, !noalias !92
  %wide.load663.2 = load <16 x i8>, ptr %371, align 1, !alias.scope !89, !noalias !92
  %409 = getelementptr i8, ptr %.2179.i.i.i, i64 64
  %410 = getelementptr i8, ptr %.2179.i.i.i, i64 80
  %wide.load664.2 = load <16 x i8>, ptr %409, align 1, !alias.scope !94, !noalias !86
  %wide.load665.2 = load <16 x i8>, ptr %410, align 1, !alias.scope !94, !noalias !86
  %411 = or <16 x i8> %wide.load664.2, %wide.load662.2
  %412 = or <16 x i8> %wide.load665.2, %wide.load663.2
  store <16 x i8> %411, ptr %370, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %412, ptr %371, align 1, !alias.scope !89, !noalias !92
  %wide.load662.3 = load <16 x i8>, ptr %372, align 1, !alias.scope !89, !noalias !92
  %wide.load663.3 = load <16 x i8>, ptr %373, align 1, !alias.scope !89, !noalias !92
  %413 = getelementptr i8, ptr %.2179.i.i.i, i64 96
  %414 = getelementptr i8, ptr %.2179.i.i.i, i64 112
  %wide.load664.3 = load <16 x i8>, ptr %413, align 1, !alias.scope !94, !noalias !86
  %wide.load665.3 = load <16 x i8>, ptr %414, align 1, !alias.scope !94, !noalias !86
  %415 = or <16 x i8> %wide.load664.3, %wide.load662.3
  %416 = or <16 x i8> %wide.load665.3, %wide.load663.3
  store <16 x i8> %415, ptr %372, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %416, ptr %373, align 1, !alias.scope !89, !noalias !92
  %wide.load662.4 = load <16 x i8>, ptr %374, align 1, !alias.scope !89, !noalias !92
  %wide.load663.4 = load <16 x i8>, ptr %375, align 1, !alias.scope !89, !noalias !92
  %417 = getelementptr i8, ptr %.2179.i.i.i, i64 128
  %418 = getelementptr i8, ptr %.2179.i.i.i, i64 144
  %wide.load664.4 = load <16 x i8>, ptr %417, align 1, !alias.scope !94, !noalias !86
  %wide.load665.4 = load <16 x i8>, ptr %418, align 1, !alias.scope !94, !noalias !86
  %419 = or <16 x i8> %wide.load664.4, %wide.load662.4
  %420 = or <16 x i8> %wide.load665.4, %wide.load663.4
  store <16 x i8> %419, ptr %374, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %420, ptr %375, align 1, !alias.scope !89, !noalias !92
  %wide.load662.5 = load <16 x i8>, ptr %376, align 1, !alias.scope !89, !noalias !92
  %wide.load663.5 = load <16 x i8>, ptr %377, align 1, !alias.scope !89, !noalias !92
  %421 = getelementptr i8, ptr %.2179.i.i.i, i64 160
  %422 = getelementptr i8, ptr %.2179.i.i.i, i64 176
  %wide.load664.5 = load <16 x i8>, ptr %421, align 1, !alias.scope !94, !noalias !86
  %wide.load665.5 = load <16 x i8>, ptr %422, align 1, !alias.scope !94, !noalias !86
  %423 = or <16 x i8> %wide.load664.5, %wide.load662.5
  %424 = or <16 x i8> %wide.load665.5, %wide.load663.5
  store <16 x i8> %423, ptr %376, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %424, ptr %377, align 1, !alias.scope !89, !noalias !92
  %wide.load662.6 = load <16 x i8>, ptr %378, align 1, !alias.scope !89, !noalias !92
  %wide.load663.6 = load <16 x i8>, ptr %379, align 1, !alias.scope !89, !noalias !92
  %425 = getelementptr i8, ptr %.2179.i.i.i, i64 192
  %426 = getelementptr i8, ptr %.2179.i.i.i, i64 208
  %wide.load664.6 = load <16 x i8>, ptr %425, align 1, !alias.scope !94, !noalias !86
  %wide.load665.6 = load <16 x i8>, ptr %426, align 1, !alias.scope !94, !noalias !86
  %427 = or <16 x i8> %wide.load664.6, %wide.load662.6
  %428 = or <16 x i8> %wide.load665.6, %wide.load663.6
  store <16 x i8> %427, ptr %378, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %428, ptr %379, align 1, !alias.scope !89, !noalias !92
  %wide.load662.7 = load <16 x i8>, ptr %380, align 1, !alias.scope !89, !noalias !92
  %wide.load663.7 = load <16 x i8>, ptr %381, align 1, !alias.scope !89, !noalias !92
  %429 = getelementptr i8, ptr %.2179.i.i.i, i64 224
  %430 = getelementptr i8, ptr %.2179.i.i.i, i64 240
  %wide.load664.7 = load <16 x i8>, ptr %429, align 1, !alias.scope !94, !noalias !86
  %wide.load665.7 = load <16 x i8>, ptr %430, align 1, !alias.scope !94, !noalias !86
  %431 = or <16 x i8> %wide.load664.7, %wide.load662.7
  %432 = or <16 x i8> %wide.load665.7, %wide.load663.7
  store <16 x i8> %431, ptr %380, align 1, !alias.scope !89, !noalias !92
  store <16 x i8> %432, ptr %381, align 1, !alias.scope !89, !noalias !92
  br label %B1478.i.i.i

B1064.i.i.i:                                      ; preds = %B1046.i.i.i
  %.2422.i.i.i = icmp slt i64 %j.9.1.i.i.i, 0
  %.2423.i.i.i = select i1 %.2422.i.i.i, i64 %.195.i.i.i, i64 0
  %433 = getelementptr i64, ptr %.201.i.i.i, i64 %j.9.1.i.i.i
  %.2437.i.i.i = getelementptr i64, ptr %433, i64 %.2423.i.i.i
  %.2438.i.i.i = load i64, ptr %.2437.i.i.i, align 8, !noalias !86
  %.2439.i.i.i = ashr i64 %.2438.i.i.i, 32
  %.2458.i.i.i = icmp slt i64 %.2439.i.i.i, 0
  %.2459.i.i.i = select i1 %.2458.i.i.i, i64 %.108.i.i.i153, i64 0
  %.2460.i.i.i = add i64 %.2459.i.i.i, %.2439.i.i.i
  %.2477.i.i.i = shl i64 %.2460.i.i.i, 8
  %.2479.i.i.i = getelementptr i8, ptr %.114.i1632.i.i, i64 %.2477.i.i.i
  %scevgep631 = getelementptr i8, ptr %scevgep630, i64 %.2477.i.i.i
  %scevgep633 = getelementptr i8, ptr %scevgep632, i64 %.2177.i.i.i
  %bound0634 = icmp ugt ptr %scevgep631, %.164.i.i.i
  %bound1635 = icmp ult ptr %.2479.i.i.i, %scevgep629
  %found.conflict636 = and i1 %bound0634, %bound1635
  %bound0637 = icmp ugt ptr %scevgep633, %.164.i.i.i
  %bound1638 = icmp ult ptr %.2179.i.i.i, %scevgep629
  %found.conflict639 = and i1 %bound0637, %bound1638
  %conflict.rdx = or i1 %found.conflict636, %found.conflict639
  br i1 %conflict.rdx, label %B1128.if.i.i.i, label %vector.body642

vector.body642:                                   ; preds = %B1064.i.i.i
  %wide.load644 = load <16 x i8>, ptr %.164.i.i.i, align 1, !alias.scope !95, !noalias !98
  %wide.load645 = load <16 x i8>, ptr %382, align 1, !alias.scope !95, !noalias !98
  %434 = getelementptr i8, ptr %.2179.i.i.i, i64 16
  %wide.load646 = load <16 x i8>, ptr %.2179.i.i.i, align 1, !alias.scope !101, !noalias !86
  %wide.load647 = load <16 x i8>, ptr %434, align 1, !alias.scope !101, !noalias !86
  %435 = getelementptr i8, ptr %.2479.i.i.i, i64 16
  %wide.load648 = load <16 x i8>, ptr %.2479.i.i.i, align 1, !alias.scope !102, !noalias !86
  %wide.load649 = load <16 x i8>, ptr %435, align 1, !alias.scope !102, !noalias !86
  %436 = xor <16 x i8> %wide.load648, %wide.load646
  %437 = xor <16 x i8> %wide.load649, %wide.load647
  %438 = or <16 x i8> %436, %wide.load644
  %439 = or <16 x i8> %437, %wide.load645
  store <16 x i8> %438, ptr %.164.i.i.i, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %439, ptr %382, align 1, !alias.scope !95, !noalias !98
  %wide.load644.1 = load <16 x i8>, ptr %383, align 1, !alias.scope !95, !noalias !98
  %wide.load645.1 = load <16 x i8>, ptr %384, align 1, !alias.scope !95, !noalias !98
  %440 = getelementptr i8, ptr %.2179.i.i.i, i64 32
  %441 = getelementptr i8, ptr %.2179.i.i.i, i64 48
  %wide.load646.1 = load <16 x i8>, ptr %440, align 1, !alias.scope !101, !noalias !86
  %wide.load647.1 = load <16 x i8>, ptr %441, align 1, !alias.scope !101, !noalias !86
  %442 = getelementptr i8, ptr %.2479.i.i.i, i64 32
  %443 = getelementptr i8, ptr %.2479.i.i.i, i64 48
  %wide.load648.1 = load <16 x i8>, ptr %442, align 1, !alias.scope !102, !noalias !86
  %wide.load649.1 = load <16 x i8>, ptr %443, align 1, !alias.scope !102, !noalias !86
  %444 = xor <16 x i8> %wide.load648.1, %wide.load646.1
  %445 = xor <16 x i8> %wide.load649.1, %wide.load647.1
  %446 = or <16 x i8> %444, %wide.load644.1
  %447 = or <16 x i8> %445, %wide.load645.1
  store <16 x i8> %446, ptr %383, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %447, ptr %384, align 1, !alias.scope !95, !noalias !98
  %wide.load644.2 = load <16 x i8>, ptr %385, align 1, !alias.scope !95, !noalias !98
  %wide.load645.2 = load <16 x i8>, ptr %386, align 1, !alias.scope !95, !noalias !98
  %448 = getelementptr i8, ptr %.2179.i.i.i, i64 64
  %449 = getelementptr i8, ptr %.2179.i.i.i, i64 80
  %wide.load646.2 = load <16 x i8>, ptr %448, align 1, !alias.scope !101, !noalias !86
  %wide.load647.2 = load <16 x i8>, ptr %449, align 1, !alias.scope !101, !noalias !86
  %450 = getelementptr i8, ptr %.2479.i.i.i, i64 64
  %451 = getelementptr i8, ptr %.2479.i.i.i, i64 80
  %wide.load648.2 = load <16 x i8>, ptr %450, align 1, !alias.scope !102, !noalias !86
  %wide.load649.2 = load <16 x i8>, ptr %451, align 1, !alias.scope !102, !noalias !86
  %452 = xor <16 x i8> %wide.load648.2, %wide.load646.2
  %453 = xor <16 x i8> %wide.load649.2, %wide.load647.2
  %454 = or <16 x i8> %452, %wide.load644.2
  %455 = or <16 x i8> %453, %wide.load645.2
  store <16 x i8> %454, ptr %385, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %455, ptr %386, align 1, !alias.scope !95, !noalias !98
  %wide.load644.3 = load <16 x i8>, ptr %387, align 1, !alias.scope !95, !noalias !98
  %wide.load645.3 = load <16 x i8>, ptr %388, align 1, !alias.scope !95, !noalias !98
  %456 = getelementptr i8, ptr %.2179.i.i.i, i64 96
  %457 = getelementptr i8, ptr %.2179.i.i.i, i64 112
  %wide.load646.3 = load <16 x i8>, ptr %456, align 1, !alias.scope !101, !noalias !86
  %wide.load647.3 = load <16 x i8>, ptr %457, align 1, !alias.scope !101, !noalias !86
  %458 = getelementptr i8, ptr %.2479.i.i.i, i64 96
  %459 = getelementptr i8, ptr %.2479.i.i.i, i64 112
  %wide.load648.3 = load <16 x i8>, ptr %458, align 1, !alias.scope !102, !noalias !86
  %wide.load649.3 = load <16 x i8>, ptr %459, align 1, !alias.scope !102, !noalias !86
  %460 = xor <16 x i8> %wide.load648.3, %wide.load646.3
  %461 = xor <16 x i8> %wide.load649.3, %wide.load647.3
  %462 = or <16 x i8> %460, %wide.load644.3
  %463 = or <16 x i8> %461, %wide.load645.3
  store <16 x i8> %462, ptr %387, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %463, ptr %388, align 1, !alias.scope !95, !noalias !98
  %wide.load644.4 = load <16 x i8>, ptr %389, align 1, !alias.scope !95, !noalias !98
  %wide.load645.4 = load <16 x i8>, ptr %390, align 1, !alias.scope !95, !noalias !98
  %464 = getelementptr i8, ptr %.2179.i.i.i, i64 128
  %465 = getelementptr i8, ptr %.2179.i.i.i, i64 144
  %wide.load646.4 = load <16 x i8>, ptr %464, align 1, !alias.scope !101, !noalias !86
  %wide.load647.4 = load <16 x i8>, ptr %465, align 1, !alias.scope !101, !noalias !86
  %466 = getelementptr i8, ptr %.2479.i.i.i, i64 128
  %467 = getelementptr i8, ptr %.2479.i.i.i, i64 144
  %wide.load648.4 = load <16 x i8>, ptr %466, align 1, !alias.scope !102, !noalias !86
  %wide.load649.4 = load <16 x i8>, ptr %467, align 1, !alias.scope !102, !noalias !86
  %468 = xor <16 x i8> %wide.load648.4, %wide.load646.4
  %469 = xor <16 x i8> %wide.load649.4, %wide.load647.4
  %470 = or <16 x i8> %468, %wide.load644.4
  %471 = or <16 x i8> %469, %wide.load645.4
  store <16 x i8> %470, ptr %389, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %471, ptr %390, align 1, !alias.scope !95, !noalias !98
  %wide.load644.5 = load <16 x i8>, ptr %391, align 1, !alias.scope !95, !noalias !98
  %wide.load645.5 = load <16 x i8>, ptr %392, align 1, !alias.scope !95, !noalias !98
  %472 = getelementptr i8, ptr %.2179.i.i.i, i64 160
  %473 = getelementptr i8, ptr %.2179.i.i.i, i64 176
  %wide.load646.5 = load <16 x i8>, ptr %472, align 1, !alias.scope !101, !noalias !86
  %wide.load647.5 = load <16 x i8>, ptr %473, align 1, !alias.scope !101, !noalias !86
  %474 = getelementptr i8, ptr %.2479.i.i.i, i64 160
  %475 = getelementptr i8, ptr %.2479.i.i.i, i64 176
  %wide.load648.5 = load <16 x i8>, ptr %474, align 1, !alias.scope !102, !noalias !86
  %wide.load649.5 = load <16 x i8>, ptr %475, align 1, !alias.scope !102, !noalias !86
  %476 = xor <16 x i8> %wide.load648.5, %wide.load646.5
  %477 = xor <16 x i8> %wide.load649.5, %wide.load647.5
  %478 = or <16 x i8> %476, %wide.load644.5
  %479 = or <16 x i8> %477, %wide.load645.5
  store <16 x i8> %478, ptr %391, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %479, ptr %392, align 1, !alias.scope !95, !noalias !98
  %wide.load644.6 = load <16 x i8>, ptr %393, align 1, !alias.scope !95, !noalias !98
  %wide.load645.6 = load <16 x i8>, ptr %394, align 1, !alias.scope !95, !noalias !98
  %480 = getelementptr i8, ptr %.2179.i.i.i, i64 192
  %481 = getelementptr i8, ptr %.2179.i.i.i, i64 208
  %wide.load646.6 = load <16 x i8>, ptr %480, align 1, !alias.scope !101, !noalias !86
  %wide.load647.6 = load <16 x i8>, ptr %481, align 1, !alias.scope !101, !noalias !86
  %482 = getelementptr i8, ptr %.2479.i.i.i, i64 192
  %483 = getelementptr i8, ptr %.2479.i.i.i, i64 208
  %wide.load648.6 = load <16 x i8>, ptr %482, align 1, !alias.scope !102, !noalias !86
  %wide.load649.6 = load <16 x i8>, ptr %483, align 1, !alias.scope !102, !noalias !86
  %484 = xor <16 x i8> %wide.load648.6, %wide.load646.6
  %485 = xor <16 x i8> %wide.load649.6, %wide.load647.6
  %486 = or <16 x i8> %484, %wide.load644.6
  %487 = or <16 x i8> %485, %wide.load645.6
  store <16 x i8> %486, ptr %393, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %487, ptr %394, align 1, !alias.scope !95, !noalias !98
  %wide.load644.7 = load <16 x i8>, ptr %395, align 1, !alias.scope !95, !noalias !98
  %wide.load645.7 = load <16 x i8>, ptr %396, align 1, !alias.scope !95, !noalias !98
  %488 = getelementptr i8, ptr %.2179.i.i.i, i64 224
  %489 = getelementptr i8, ptr %.2179.i.i.i, i64 240
  %wide.load646.7 = load <16 x i8>, ptr %488, align 1, !alias.scope !101, !noalias !86
  %wide.load647.7 = load <16 x i8>, ptr %489, align 1, !alias.scope !101, !noalias !86
  %490 = getelementptr i8, ptr %.2479.i.i.i, i64 224
  %491 = getelementptr i8, ptr %.2479.i.i.i, i64 240
  %wide.load648.7 = load <16 x i8>, ptr %490, align 1, !alias.scope !102, !noalias !86
  %wide.load649.7 = load <16 x i8>, ptr %491, align 1, !alias.scope !102, !noalias !86
  %492 = xor <16 x i8> %wide.load648.7, %wide.load646.7
  %493 = xor <16 x i8> %wide.load649.7, %wide.load647.7
  %494 = or <16 x i8> %492, %wide.load644.7
  %495 = or <16 x i8> %493, %wide.load645.7
  store <16 x i8> %494, ptr %395, align 1, !alias.scope !95, !noalias !98
  store <16 x i8> %495, ptr %396, align 1, !alias.scope !95, !noalias !98
  br label %B1196.i.i.i

B1196.i.i.i:                                      ; preds = %B1128.if.i.i.i, %vector.body642
  %.2778.i.i.i = icmp sgt i64 %theirs.5.030.i.i.i, 257
  %.2779.i.i.i = select i1 %.2778.i.i.i, i64 %.195.i.i.i, i64 0
  %reass.sub1390.i.i.i = sub i64 %.2779.i.i.i, %theirs.5.030.i.i.i
  %496 = getelementptr i64, ptr %.201.i.i.i, i64 %reass.sub1390.i.i.i
  %.2793.i.i.i = getelementptr i8, ptr %496, i64 2056
  %.2794.i.i.i = load i64, ptr %.2793.i.i.i, align 8, !noalias !86
  store i64 %.2794.i.i.i, ptr %.2437.i.i.i, align 8, !noalias !86
  %.2829.i.i.i = add nsw i64 %theirs.5.030.i.i.i, -1
  br label %B1478.i.i.i

B1318.i.i.i:                                      ; preds = %B1478.i.i.i, %B832.thread.i.i.i
  %theirs.5.0.lcssa.i.i.i = phi i64 [ %theirs.4.2.i.i.i, %B832.thread.i.i.i ], [ %theirs.7.1.i.i.i, %B1478.i.i.i ]
  %.314933.not.i.i.i = icmp slt i64 %theirs.5.0.lcssa.i.i.i, 1
  br i1 %.314933.not.i.i.i, label %B1304.i.i, label %B1356.if.preheader.i.i.i

B1356.if.preheader.i.i.i:                         ; preds = %B1318.i.i.i
  %.3067.i.i.i = sub nsw i64 257, %theirs.5.0.lcssa.i.i.i
  %scevgep = getelementptr i8, ptr %.164.i.i.i, i64 256
  %scevgep623 = getelementptr i8, ptr %.114.i1632.i.i, i64 256
  %497 = getelementptr i8, ptr %.164.i.i.i, i64 16
  %498 = getelementptr i8, ptr %.164.i.i.i, i64 32
  %499 = getelementptr i8, ptr %.164.i.i.i, i64 48
  %500 = getelementptr i8, ptr %.164.i.i.i, i64 64
  %501 = getelementptr i8, ptr %.164.i.i.i, i64 80
  %502 = getelementptr i8, ptr %.164.i.i.i, i64 96
  %503 = getelementptr i8, ptr %.164.i.i.i, i64 112
  %504 = getelementptr i8, ptr %.164.i.i.i, i64 128
  %505 = getelementptr i8, ptr %.164.i.i.i, i64 144
  %506 = getelementptr i8, ptr %.164.i.i.i, i64 160
  %507 = getelementptr i8, ptr %.164.i.i.i, i64 176
  %508 = getelementptr i8, ptr %.164.i.i.i, i64 192
  %509 = getelementptr i8, ptr %.164.i.i.i, i64 208
  %510 = getelementptr i8, ptr %.164.i.i.i, i64 224
  %511 = getelementptr i8, ptr %.164.i.i.i, i64 240
  br label %B1356.if.i.i.i

B1356.loopexit.i.i.i:                             ; preds = %B1424.if.i.i.i, %vector.body
  %.3158.i.i.i = add nsw i64 %.3096.035.i.i.i, -1
  %.3162.i.i.i = add i64 %.3093.034.i.i.i, 1
  %.3149.i.i.i = icmp sgt i64 %.3096.035.i.i.i, 1
  br i1 %.3149.i.i.i, label %B1356.if.i.i.i, label %B1304.i.i

B1478.i.i.i:                                      ; preds = %B1266.if.i.i.i, %vector.body660, %B1196.i.i.i
  %theirs.7.1.i.i.i = phi i64 [ %.2829.i.i.i, %B1196.i.i.i ], [ %theirs.5.030.i.i.i, %vector.body660 ], [ %theirs.5.030.i.i.i, %B1266.if.i.i.i ]
  %exitcond40.not.i.i.i = icmp eq i64 %mine.3.2.i.i.i, %.2080.i.i.i
  br i1 %exitcond40.not.i.i.i, label %B1318.i.i.i, label %B862.if.i.i.i

B238.else.endif.i.i.i:                            ; preds = %B1240.1.i.i
  br i1 %.433.i.i.i, label %B1404.i.i, label %B238.endif.else.endif.endif.endif.i.i.i, !prof !26

B238.endif.endif.i.i.i:                           ; preds = %B238.endif.else.endif.endif.endif.i.i.i
  br label %.499.endif.preheader.i.i.i

.499.endif.preheader.i.i.i:                       ; preds = %B238.endif.else.endif.endif.endif.i.i.i, %B238.endif.endif.i.i.i
  %.408.sroa.13.053.i.i.i = phi i64 [ %.158.i.i.i, %B238.endif.endif.i.i.i ], [ 256, %B238.endif.else.endif.endif.endif.i.i.i ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.164.i.i.i, i8 1, i64 %.408.sroa.13.053.i.i.i, i1 false), !noalias !86
  br label %B1404.i.i

B238.endif.else.endif.endif.endif.i.i.i:          ; preds = %B238.else.endif.i.i.i
  %.450.i.i.i = icmp ult i64 %.158.i.i.i, 257
  br i1 %.450.i.i.i, label %B238.endif.endif.i.i.i, label %.499.endif.preheader.i.i.i, !prof !56

B256.else.endif.i.i.i:                            ; preds = %B1240.1.i.i
  br i1 %.433.i.i.i, label %.804.if.i.i.i, label %B256.endif.else.endif.endif.endif.i.i.i, !prof !26

B256.endif.endif.i.i.i:                           ; preds = %B256.endif.else.endif.endif.endif.i.i.i
  br label %.804.endif.preheader.i.i.i

.804.endif.preheader.i.i.i:                       ; preds = %B256.endif.else.endif.endif.endif.i.i.i, %B256.endif.endif.i.i.i
  %.713.sroa.13.065.i.i.i = phi i64 [ %.158.i.i.i, %B256.endif.endif.i.i.i ], [ 256, %B256.endif.else.endif.endif.endif.i.i.i ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.164.i.i.i, i8 0, i64 %.713.sroa.13.065.i.i.i, i1 false), !noalias !86
  br label %.804.if.i.i.i

B256.endif.else.endif.endif.endif.i.i.i:          ; preds = %B256.else.endif.i.i.i
  %.755.i.i.i = icmp ult i64 %.158.i.i.i, 257
  br i1 %.755.i.i.i, label %B256.endif.endif.i.i.i, label %.804.endif.preheader.i.i.i, !prof !56

.804.if.i.i.i:                                    ; preds = %.804.endif.preheader.i.i.i, %B256.else.endif.i.i.i
  %.7551562.i.i.i = phi i1 [ %.755.i.i.i, %.804.endif.preheader.i.i.i ], [ true, %B256.else.endif.i.i.i ]
  %.idx.i.i.i154 = shl nuw nsw i64 %.773.i.i, 6
  %512 = getelementptr i8, ptr %.36.i.i194.i, i64 %.idx.i.i.i154
  %.904.i.i.i = getelementptr i8, ptr %512, i64 16
  %.905.i.i.i = load i64, ptr %.904.i.i.i, align 8, !noalias !86
  %.1016.i.i.i = getelementptr i8, ptr %512, i64 24
  %.1017.i.i.i = load i64, ptr %.1016.i.i.i, align 8, !noalias !86
  %.1018.i.i.i = add nsw i64 %.1017.i.i.i, %.905.i.i.i
  %.idx18.i.i.i = shl nuw nsw i64 %.807.i.i, 6
  %513 = getelementptr i8, ptr %.36.i.i194.i, i64 %.idx18.i.i.i
  %.1082.i.i.i = getelementptr i8, ptr %513, i64 16
  %.1083.i.i.i = load i64, ptr %.1082.i.i.i, align 8, !noalias !86
  %.1194.i.i.i = getelementptr i8, ptr %513, i64 24
  %.1195.i.i.i = load i64, ptr %.1194.i.i.i, align 8, !noalias !86
  %.1198.i.i.i = add nsw i64 %.1195.i.i.i, %.1083.i.i.i
  %.1225.i.i.i = icmp sgt i64 %.1017.i.i.i, 0
  %.1255.i.i.i = icmp sgt i64 %.1195.i.i.i, 0
  %or.cond1393.i.i.i = select i1 %.1225.i.i.i, i1 true, i1 %.1255.i.i.i
  br i1 %or.cond1393.i.i.i, label %B538.i.i.i, label %B1304.i.i

B638.else.endif.i.i.i:                            ; preds = %B620.i.i.i
  br i1 %.433.i.i.i, label %B638.endif.else.endif.if.i.i.i, label %B638.endif.else.endif.endif.endif.i.i.i, !prof !26

B638.endif.endif.i.i.i:                           ; preds = %B638.endif.else.endif.endif.endif.if.i.i.i, %B638.endif.else.endif.endif.endif.i.i.i
  %.1556.sroa.13.0.i.i.i = phi i64 [ %.158.i.i.i, %B638.endif.else.endif.endif.endif.if.i.i.i ], [ 256, %B638.endif.else.endif.endif.endif.i.i.i ]
  %.1677.not21.i.i.i = icmp slt i64 %.1556.sroa.0.3.i.i.i, %.1556.sroa.13.0.i.i.i
  br i1 %.1677.not21.i.i.i, label %.1647.endif.preheader.i.i.i, label %B1304.i.i, !prof !55

.1647.endif.preheader.i.i.i:                      ; preds = %B638.endif.endif.i.i.i
  %scevgep38.i.i.i = getelementptr i8, ptr %.164.i.i.i, i64 %.1556.sroa.0.3.i.i.i
  %514 = sub i64 %.1556.sroa.13.0.i.i.i, %.1556.sroa.0.3.i.i.i
  tail call void @llvm.memset.p0.i64(ptr align 1 %scevgep38.i.i.i, i8 1, i64 %514, i1 false), !noalias !86
  br label %B1304.i.i

B638.endif.else.endif.if.i.i.i:                   ; preds = %B638.else.endif.i.i.i
  br label %B638.endif.else.endif.endif.endif.i.i.i

B638.endif.else.endif.endif.endif.i.i.i:          ; preds = %B638.endif.else.endif.if.i.i.i, %B638.else.endif.i.i.i
  %.1556.sroa.0.3.i.i.i = phi i64 [ %.158.i.i.i, %B638.endif.else.endif.if.i.i.i ], [ 0, %B638.else.endif.i.i.i ]
  br i1 %.7551562.i.i.i, label %B638.endif.else.endif.endif.endif.if.i.i.i, label %B638.endif.endif.i.i.i, !prof !26

B638.endif.else.endif.endif.endif.if.i.i.i:       ; preds = %B638.endif.else.endif.endif.endif.i.i.i
  br label %B638.endif.endif.i.i.i

B862.if.i.i.i:                                    ; preds = %B1478.i.i.i, %B862.if.lr.ph.i.i.i
  %theirs.5.030.i.i.i = phi i64 [ %theirs.4.2.i.i.i, %B862.if.lr.ph.i.i.i ], [ %theirs.7.1.i.i.i, %B1478.i.i.i ]
  %.2009.028.i.i.i = phi i64 [ 0, %B862.if.lr.ph.i.i.i ], [ %.2080.i.i.i, %B1478.i.i.i ]
  %.2080.i.i.i = add nuw nsw i64 %.2009.028.i.i.i, 1
  %515 = getelementptr i64, ptr %.201.i.i.i, i64 %.2009.028.i.i.i
  %.2138.i.i.i = load i64, ptr %515, align 8, !noalias !86
  %.2139.i.i.i = ashr i64 %.2138.i.i.i, 32
  %.2158.i.i.i = icmp slt i64 %.2139.i.i.i, 0
  %.2159.i.i.i = select i1 %.2158.i.i.i, i64 %.108.i.i.i153, i64 0
  %.2160.i.i.i = add i64 %.2159.i.i.i, %.2139.i.i.i
  %.2177.i.i.i = shl i64 %.2160.i.i.i, 8
  %.2179.i.i.i = getelementptr i8, ptr %.114.i1632.i.i, i64 %.2177.i.i.i
  %.2219.i.i.i = sub i64 256, %theirs.5.030.i.i.i
  %.2221.i.i.i = icmp sgt i64 %theirs.5.030.i.i.i, 0
  br i1 %.2221.i.i.i, label %B922.i.i.i, label %B1046.i.i.i

B1128.if.i.i.i:                                   ; preds = %B1064.i.i.i, %B1128.if.i.i.i
  %.2534.025.i.i.i = phi i64 [ %.2603.i.i.i.1, %B1128.if.i.i.i ], [ 0, %B1064.i.i.i ]
  %.2603.i.i.i = or i64 %.2534.025.i.i.i, 1
  %516 = getelementptr i8, ptr %.164.i.i.i, i64 %.2534.025.i.i.i
  %.2657.i.i.i = load i8, ptr %516, align 1, !noalias !86
  %.2686.i.i.i = getelementptr i8, ptr %.2179.i.i.i, i64 %.2534.025.i.i.i
  %.2687.i.i.i = load i8, ptr %.2686.i.i.i, align 1, !noalias !86
  %.2716.i.i.i = getelementptr i8, ptr %.2479.i.i.i, i64 %.2534.025.i.i.i
  %.2717.i.i.i = load i8, ptr %.2716.i.i.i, align 1, !noalias !86
  %.27201391.i.i.i = xor i8 %.2717.i.i.i, %.2687.i.i.i
  %.27221392.i.i.i = or i8 %.27201391.i.i.i, %.2657.i.i.i
  store i8 %.27221392.i.i.i, ptr %516, align 1, !noalias !86
  %.2603.i.i.i.1 = add nuw nsw i64 %.2534.025.i.i.i, 2
  %517 = getelementptr i8, ptr %.164.i.i.i, i64 %.2603.i.i.i
  %.2657.i.i.i.1 = load i8, ptr %517, align 1, !noalias !86
  %.2686.i.i.i.1 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2603.i.i.i
  %.2687.i.i.i.1 = load i8, ptr %.2686.i.i.i.1, align 1, !noalias !86
  %.2716.i.i.i.1 = getelementptr i8, ptr %.2479.i.i.i, i64 %.2603.i.i.i
  %.2717.i.i.i.1 = load i8, ptr %.2716.i.i.i.1, align 1, !noalias !86
  %.27201391.i.i.i.1 = xor i8 %.2717.i.i.i.1, %.2687.i.i.i.1
  %.27221392.i.i.i.1 = or i8 %.27201391.i.i.i.1, %.2657.i.i.i.1
  store i8 %.27221392.i.i.i.1, ptr %517, align 1, !noalias !86
  %exitcond39.not.i.i.i.1 = icmp eq i64 %.2603.i.i.i.1, 256
  br i1 %exitcond39.not.i.i.i.1, label %B1196.i.i.i, label %B1128.if.i.i.i, !llvm.loop !103

B1266.if.i.i.i:                                   ; preds = %vector.memcheck652, %B1266.if.i.i.i
  %.2861.023.i.i.i = phi i64 [ %.2930.i.i.i.3, %B1266.if.i.i.i ], [ 0, %vector.memcheck652 ]
  %.2930.i.i.i = or i64 %.2861.023.i.i.i, 1
  %518 = getelementptr i8, ptr %.164.i.i.i, i64 %.2861.023.i.i.i
  %.2984.i.i.i = load i8, ptr %518, align 1, !noalias !86
  %.3013.i.i.i = getelementptr i8, ptr %.2179.i.i.i, i64 %.2861.023.i.i.i
  %.3014.i.i.i = load i8, ptr %.3013.i.i.i, align 1, !noalias !86
  %.30171389.i.i.i = or i8 %.3014.i.i.i, %.2984.i.i.i
  store i8 %.30171389.i.i.i, ptr %518, align 1, !noalias !86
  %.2930.i.i.i.1 = or i64 %.2861.023.i.i.i, 2
  %519 = getelementptr i8, ptr %.164.i.i.i, i64 %.2930.i.i.i
  %.2984.i.i.i.1 = load i8, ptr %519, align 1, !noalias !86
  %.3013.i.i.i.1 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2930.i.i.i
  %.3014.i.i.i.1 = load i8, ptr %.3013.i.i.i.1, align 1, !noalias !86
  %.30171389.i.i.i.1 = or i8 %.3014.i.i.i.1, %.2984.i.i.i.1
  store i8 %.30171389.i.i.i.1, ptr %519, align 1, !noalias !86
  %.2930.i.i.i.2 = or i64 %.2861.023.i.i.i, 3
  %520 = getelementptr i8, ptr %.164.i.i.i, i64 %.2930.i.i.i.1
  %.2984.i.i.i.2 = load i8, ptr %520, align 1, !noalias !86
  %.3013.i.i.i.2 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2930.i.i.i.1
  %.3014.i.i.i.2 = load i8, ptr %.3013.i.i.i.2, align 1, !noalias !86
  %.30171389.i.i.i.2 = or i8 %.3014.i.i.i.2, %.2984.i.i.i.2
  store i8 %.30171389.i.i.i.2, ptr %520, align 1, !noalias !86
  %.2930.i.i.i.3 = add nuw nsw i64 %.2861.023.i.i.i, 4
  %521 = getelementptr i8, ptr %.164.i.i.i, i64 %.2930.i.i.i.2
  %.2984.i.i.i.3 = load i8, ptr %521, align 1, !noalias !86
  %.3013.i.i.i.3 = getelementptr i8, ptr %.2179.i.i.i, i64 %.2930.i.i.i.2
  %.3014.i.i.i.3 = load i8, ptr %.3013.i.i.i.3, align 1, !noalias !86
  %.30171389.i.i.i.3 = or i8 %.3014.i.i.i.3, %.2984.i.i.i.3
  store i8 %.30171389.i.i.i.3, ptr %521, align 1, !noalias !86
  %exitcond.not.i.i226.i.3 = icmp eq i64 %.2930.i.i.i.3, 256
  br i1 %exitcond.not.i.i226.i.3, label %B1478.i.i.i, label %B1266.if.i.i.i, !llvm.loop !104

B1356.if.i.i.i:                                   ; preds = %B1356.loopexit.i.i.i, %B1356.if.preheader.i.i.i
  %.3096.035.i.i.i = phi i64 [ %.3158.i.i.i, %B1356.loopexit.i.i.i ], [ %theirs.5.0.lcssa.i.i.i, %B1356.if.preheader.i.i.i ]
  %.3093.034.i.i.i = phi i64 [ %.3162.i.i.i, %B1356.loopexit.i.i.i ], [ %.3067.i.i.i, %B1356.if.preheader.i.i.i ]
  %.3200.i.i.i = icmp slt i64 %.3093.034.i.i.i, 0
  %.3201.i.i.i = select i1 %.3200.i.i.i, i64 %.195.i.i.i, i64 0
  %522 = getelementptr i64, ptr %.201.i.i.i, i64 %.3093.034.i.i.i
  %.3215.i.i.i = getelementptr i64, ptr %522, i64 %.3201.i.i.i
  %.3216.i.i.i = load i64, ptr %.3215.i.i.i, align 8, !noalias !86
  %.3217.i.i.i = ashr i64 %.3216.i.i.i, 32
  %.3236.i.i.i = icmp slt i64 %.3217.i.i.i, 0
  %.3237.i.i.i = select i1 %.3236.i.i.i, i64 %.108.i.i.i153, i64 0
  %.3238.i.i.i = add i64 %.3237.i.i.i, %.3217.i.i.i
  %.3255.i.i.i = shl i64 %.3238.i.i.i, 8
  %.3257.i.i.i = getelementptr i8, ptr %.114.i1632.i.i, i64 %.3255.i.i.i
  %scevgep624 = getelementptr i8, ptr %scevgep623, i64 %.3255.i.i.i
  %bound0 = icmp ugt ptr %scevgep624, %.164.i.i.i
  %bound1 = icmp ult ptr %.3257.i.i.i, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %B1424.if.i.i.i, label %vector.body

vector.body:                                      ; preds = %B1356.if.i.i.i
  %wide.load = load <16 x i8>, ptr %.164.i.i.i, align 1, !alias.scope !105, !noalias !108
  %wide.load625 = load <16 x i8>, ptr %497, align 1, !alias.scope !105, !noalias !108
  %523 = getelementptr i8, ptr %.3257.i.i.i, i64 16
  %wide.load626 = load <16 x i8>, ptr %.3257.i.i.i, align 1, !alias.scope !110, !noalias !86
  %wide.load627 = load <16 x i8>, ptr %523, align 1, !alias.scope !110, !noalias !86
  %524 = or <16 x i8> %wide.load626, %wide.load
  %525 = or <16 x i8> %wide.load627, %wide.load625
  store <16 x i8> %524, ptr %.164.i.i.i, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %525, ptr %497, align 1, !alias.scope !105, !noalias !108
  %wide.load.1 = load <16 x i8>, ptr %498, align 1, !alias.scope !105, !noalias !108
  %wide.load625.1 = load <16 x i8>, ptr %499, align 1, !alias.scope !105, !noalias !108
  %526 = getelementptr i8, ptr %.3257.i.i.i, i64 32
  %527 = getelementptr i8, ptr %.3257.i.i.i, i64 48
  %wide.load626.1 = load <16 x i8>, ptr %526, align 1, !alias.scope !110, !noalias !86
  %wide.load627.1 = load <16 x i8>, ptr %527, align 1, !alias.scope !110, !noalias !86
  %528 = or <16 x i8> %wide.load626.1, %wide.load.1
  %529 = or <16 x i8> %wide.load627.1, %wide.load625.1
  store <16 x i8> %528, ptr %498, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %529, ptr %499, align 1, !alias.scope !105, !noalias !108
  %wide.load.2 = load <16 x i8>, ptr %500, align 1, !alias.scope !105, !noalias !108
  %wide.load625.2 = load <16 x i8>, ptr %501, align 1, !alias.scope !105, !noalias !108
  %530 = getelementptr i8, ptr %.3257.i.i.i, i64 64
  %531 = getelementptr i8, ptr %.3257.i.i.i, i64 80
  %wide.load626.2 = load <16 x i8>, ptr %530, align 1, !alias.scope !110, !noalias !86
  %wide.load627.2 = load <16 x i8>, ptr %531, align 1, !alias.scope !110, !noalias !86
  %532 = or <16 x i8> %wide.load626.2, %wide.load.2
  %533 = or <16 x i8> %wide.load627.2, %wide.load625.2
  store <16 x i8> %532, ptr %500, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %533, ptr %501, align 1, !alias.scope !105, !noalias !108
  %wide.load.3 = load <16 x i8>, ptr %502, align 1, !alias.scope !105, !noalias !108
  %wide.load625.3 = load <16 x i8>, ptr %503, align 1, !alias.scope !105, !noalias !108
  %534 = getelementptr i8, ptr %.3257.i.i.i, i64 96
  %535 = getelementptr i8, ptr %.3257.i.i.i, i64 112
  %wide.load626.3 = load <16 x i8>, ptr %534, align 1, !alias.scope !110, !noalias !86
  %wide.load627.3 = load <16 x i8>, ptr %535, align 1, !alias.scope !110, !noalias !86
  %536 = or <16 x i8> %wide.load626.3, %wide.load.3
  %537 = or <16 x i8> %wide.load627.3, %wide.load625.3
  store <16 x i8> %536, ptr %502, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %537, ptr %503, align 1, !alias.scope !105, !noalias !108
  %wide.load.4 = load <16 x i8>, ptr %504, align 1, !alias.scope !105, !noalias !108
  %wide.load625.4 = load <16 x i8>, ptr %505, align 1, !alias.scope !105, !noalias !108
  %538 = getelementptr i8, ptr %.3257.i.i.i, i64 128
  %539 = getelementptr i8, ptr %.3257.i.i.i, i64 144
  %wide.load626.4 = load <16 x i8>, ptr %538, align 1, !alias.scope !110, !noalias !86
  %wide.load627.4 = load <16 x i8>, ptr %539, align 1, !alias.scope !110, !noalias !86
  %540 = or <16 x i8> %wide.load626.4, %wide.load.4
  %541 = or <16 x i8> %wide.load627.4, %wide.load625.4
  store <16 x i8> %540, ptr %504, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %541, ptr %505, align 1, !alias.scope !105, !noalias !108
  %wide.load.5 = load <16 x i8>, ptr %506, align 1, !alias.scope !105, !noalias !108
  %wide.load625.5 = load <16 x i8>, ptr %507, align 1, !alias.scope !105, !noalias !108
  %542 = getelementptr i8, ptr %.3257.i.i.i, i64 160
  %543 = getelementptr i8, ptr %.3257.i.i.i, i64 176
  %wide.load626.5 = load <16 x i8>, ptr %542, align 1, !alias.scope !110, !noalias !86
  %wide.load627.5 = load <16 x i8>, ptr %543, align 1, !alias.scope !110, !noalias !86
  %544 = or <16 x i8> %wide.load626.5, %wide.load.5
  %545 = or <16 x i8> %wide.load627.5, %wide.load625.5
  store <16 x i8> %544, ptr %506, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %545, ptr %507, align 1, !alias.scope !105, !noalias !108
  %wide.load.6 = load <16 x i8>, ptr %508, align 1, !alias.scope !105, !noalias !108
  %wide.load625.6 = load <16 x i8>, ptr %509, align 1, !alias.scope !105, !noalias !108
  %546 = getelementptr i8, ptr %.3257.i.i.i, i64 192
  %547 = getelementptr i8, ptr %.3257.i.i.i, i64 208
  %wide.load626.6 = load <16 x i8>, ptr %546, align 1, !alias.scope !110, !noalias !86
  %wide.load627.6 = load <16 x i8>, ptr %547, align 1, !alias.scope !110, !noalias !86
  %548 = or <16 x i8> %wide.load626.6, %wide.load.6
  %549 = or <16 x i8> %wide.load627.6, %wide.load625.6
  store <16 x i8> %548, ptr %508, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %549, ptr %509, align 1, !alias.scope !105, !noalias !108
  %wide.load.7 = load <16 x i8>, ptr %510, align 1, !alias.scope !105, !noalias !108
  %wide.load625.7 = load <16 x i8>, ptr %511, align 1, !alias.scope !105, !noalias !108
  %550 = getelementptr i8, ptr %.3257.i.i.i, i64 224
  %551 = getelementptr i8, ptr %.3257.i.i.i, i64 240
  %wide.load626.7 = load <16 x i8>, ptr %550, align 1, !alias.scope !110, !noalias !86
  %wide.load627.7 = load <16 x i8>, ptr %551, align 1, !alias.scope !110, !noalias !86
  %552 = or <16 x i8> %wide.load626.7, %wide.load.7
  %553 = or <16 x i8> %wide.load627.7, %wide.load625.7
  store <16 x i8> %552, ptr %510, align 1, !alias.scope !105, !noalias !108
  store <16 x i8> %553, ptr %511, align 1, !alias.scope !105, !noalias !108
  br label %B1356.loopexit.i.i.i

B1424.if.i.i.i:                                   ; preds = %B1356.if.i.i.i, %B1424.if.i.i.i
  %.3312.031.i.i.i = phi i64 [ %.3381.i.i.i.3, %B1424.if.i.i.i ], [ 0, %B1356.if.i.i.i ]
  %.3381.i.i.i = or i64 %.3312.031.i.i.i, 1
  %554 = getelementptr i8, ptr %.164.i.i.i, i64 %.3312.031.i.i.i
  %.3435.i.i.i = load i8, ptr %554, align 1, !noalias !86
  %.3464.i.i.i = getelementptr i8, ptr %.3257.i.i.i, i64 %.3312.031.i.i.i
  %.3465.i.i.i = load i8, ptr %.3464.i.i.i, align 1, !noalias !86
  %.34681388.i.i.i = or i8 %.3465.i.i.i, %.3435.i.i.i
  store i8 %.34681388.i.i.i, ptr %554, align 1, !noalias !86
  %.3381.i.i.i.1 = or i64 %.3312.031.i.i.i, 2
  %555 = getelementptr i8, ptr %.164.i.i.i, i64 %.3381.i.i.i
  %.3435.i.i.i.1 = load i8, ptr %555, align 1, !noalias !86
  %.3464.i.i.i.1 = getelementptr i8, ptr %.3257.i.i.i, i64 %.3381.i.i.i
  %.3465.i.i.i.1 = load i8, ptr %.3464.i.i.i.1, align 1, !noalias !86
  %.34681388.i.i.i.1 = or i8 %.3465.i.i.i.1, %.3435.i.i.i.1
  store i8 %.34681388.i.i.i.1, ptr %555, align 1, !noalias !86
  %.3381.i.i.i.2 = or i64 %.3312.031.i.i.i, 3
  %556 = getelementptr i8, ptr %.164.i.i.i, i64 %.3381.i.i.i.1
  %.3435.i.i.i.2 = load i8, ptr %556, align 1, !noalias !86
  %.3464.i.i.i.2 = getelementptr i8, ptr %.3257.i.i.i, i64 %.3381.i.i.i.1
  %.3465.i.i.i.2 = load i8, ptr %.3464.i.i.i.2, align 1, !noalias !86
  %.34681388.i.i.i.2 = or i8 %.3465.i.i.i.2, %.3435.i.i.i.2
  store i8 %.34681388.i.i.i.2, ptr %556, align 1, !noalias !86
  %.3381.i.i.i.3 = add nuw nsw i64 %.3312.031.i.i.i, 4
  %557 = getelementptr i8, ptr %.164.i.i.i, i64 %.3381.i.i.i.2
  %.3435.i.i.i.3 = load i8, ptr %557, align 1, !noalias !86
  %.3464.i.i.i.3 = getelementptr i8, ptr %.3257.i.i.i, i64 %.3381.i.i.i.2
  %.3465.i.i.i.3 = load i8, ptr %.3464.i.i.i.3, align 1, !noalias !86
  %.34681388.i.i.i.3 = or i8 %.3465.i.i.i.3, %.3435.i.i.i.3
  store i8 %.34681388.i.i.i.3, ptr %557, align 1, !noalias !86
  %exitcond41.not.i.i.i.3 = icmp eq i64 %.3381.i.i.i.3, 256
  br i1 %exitcond41.not.i.i.i.3, label %B1356.loopexit.i.i.i, label %B1424.if.i.i.i, !llvm.loop !111

B1304.i.i:                                        ; preds = %B1356.loopexit.i.i.i, %.1647.endif.preheader.i.i.i, %B638.endif.endif.i.i.i, %.804.if.i.i.i, %B1318.i.i.i
  %558 = getelementptr i8, ptr %.39.i.i, i64 %.idx.i.i.i154
  %.1534.i.i = getelementptr i8, ptr %558, i64 32
  %.1535.i.i = load i64, ptr %.1534.i.i, align 8, !noalias !73
  %559 = getelementptr i8, ptr %.39.i.i, i64 %.idx18.i.i.i
  %.1589.i.i = getelementptr i8, ptr %559, i64 32
  %.1590.i.i = load i64, ptr %.1589.i.i, align 8, !noalias !73
  %.1591.i.i = and i64 %.1535.i.i, 48
  %.1593.i.i = and i64 %.1591.i.i, %.1590.i.i
  %.1595.i.i = or i64 %.1593.i.i, %.121.i.i
  br label %B1404.i.i

B1404.i.i:                                        ; preds = %B1304.i.i, %.499.endif.preheader.i.i.i, %B238.else.endif.i.i.i
  %strings.2.1.i.i = phi i64 [ %.1595.i.i, %B1304.i.i ], [ %.121.i.i, %.499.endif.preheader.i.i.i ], [ %.121.i.i, %B238.else.endif.i.i.i ]
  %.1701107.not.i.i = icmp slt i64 %.916.i.i, 1
  br i1 %.1701107.not.i.i, label %B2396.i.i, label %B1440.lr.ph.i.i

B1440.lr.ph.i.i:                                  ; preds = %B1404.i.i
  %.1812.not.i.i = icmp eq i64 %strings.2.1.i.i, 0
  %.idx.i1637.i.i = shl nsw i64 %.773.i.i, 6
  %.idx.i1657.i.i = shl nsw i64 %.807.i.i, 6
  br label %B1440.i.i

B1440.i.i:                                        ; preds = %B2513.i.i, %B1440.lr.ph.i.i
  %size.5.1112.i.i = phi i64 [ %size.4.0.i.i, %B1440.lr.ph.i.i ], [ %size.6.2.i.i, %B2513.i.i ]
  %n.5.1110.i.i = phi i64 [ %n.3.0.i.i, %B1440.lr.ph.i.i ], [ %n.6.2.i.i, %B2513.i.i ]
  %.1647.0109.i.i = phi i64 [ %.916.i.i, %B1440.lr.ph.i.i ], [ %.1710.i.i, %B2513.i.i ]
  %.1644.0108.i.i = phi i64 [ %.844.i.i, %B1440.lr.ph.i.i ], [ %.1714.i.i, %B2513.i.i ]
  %.1710.i.i = add nsw i64 %.1647.0109.i.i, -1
  %.1714.i.i = add nsw i64 %.1644.0108.i.i, 1
  %.1756.i.i = icmp slt i64 %.1644.0108.i.i, 0
  %.1757.i.i = select i1 %.1756.i.i, i64 %.178.i.i, i64 0
  %560 = getelementptr i8, ptr %.184.i.i144, i64 %.1644.0108.i.i
  %.1771.i.i = getelementptr i8, ptr %560, i64 %.1757.i.i
  %.1772.i.i = load i8, ptr %.1771.i.i, align 1, !noalias !73
  %.1773.i.i = zext i8 %.1772.i.i to i64
  %.1806.i.i = getelementptr i8, ptr %.383.i.i, i64 %.1773.i.i
  %.1807.i.i = load i8, ptr %.1806.i.i, align 1, !noalias !73
  %.1809.i.i = icmp eq i8 %.1807.i.i, 0
  br i1 %.1809.i.i, label %B2513.i.i, label %B1508.i.i

B1508.i.i:                                        ; preds = %B1440.i.i
  br i1 %.1812.not.i.i, label %B1538.i.i, label %B1512.i.i

B1512.i.i:                                        ; preds = %B1508.i.i
  %.1829.i.i = select i1 %.1756.i.i, i64 %.134.i.i, i64 0
  %561 = getelementptr i8, ptr %.140.i.i, i64 %.1644.0108.i.i
  %.1843.i.i = getelementptr i8, ptr %561, i64 %.1829.i.i
  %.1844.i.i = load i8, ptr %.1843.i.i, align 1, !noalias !73
  %.1846.i.i = icmp eq i8 %.1844.i.i, 0
  br i1 %.1846.i.i, label %B2513.i.i, label %B1538.i.i

B1538.i.i:                                        ; preds = %B1512.i.i, %B1508.i.i
  %.1880.i.i = select i1 %.1756.i.i, i64 %.216.i.i, i64 0
  %562 = getelementptr i32, ptr %.222.i.i, i64 %.1644.0108.i.i
  %.1894.i.i = getelementptr i32, ptr %562, i64 %.1880.i.i
  %.1895.i.i = load i32, ptr %.1894.i.i, align 4, !noalias !73
  %.1911.i196.i = icmp slt i64 %.1644.0108.i.i, -1
  %.1912.i197.i = select i1 %.1911.i196.i, i64 %.216.i.i, i64 0
  %563 = getelementptr i8, ptr %562, i64 4
  %.1926.i.i = getelementptr i32, ptr %563, i64 %.1912.i197.i
  %.1927.i.i = load i32, ptr %.1926.i.i, align 4, !noalias !73
  %.1928.i.i = icmp eq i32 %.1895.i.i, %.1927.i.i
  br i1 %.1928.i.i, label %B1580.i.i, label %B1800.i.i

B1580.i.i:                                        ; preds = %B1538.i.i
  br i1 %.228.i.i.i, label %B1642.i.i, label %B1604.i.i

B1604.i.i:                                        ; preds = %B1580.i.i
  %.25.i.i.i156 = load i64, ptr %.29.i182.i, align 8, !noalias !112
  %.34.i.i222.i = inttoptr i64 %.25.i.i.i156 to ptr
  %.66.i.i.i157 = load i64, ptr %.67.i.i.i147, align 8, !noalias !112
  %.69.i.i223.i = load i64, ptr %.70.i.i.i148, align 8, !noalias !112
  %.75.i.i.i = inttoptr i64 %.66.i.i.i157 to ptr
  %.103.i.i.i = load i64, ptr %.104.i.i.i149, align 8, !noalias !112
  %.106.i.i224.i = load i64, ptr %.107.i.i186.i, align 8, !noalias !112
  %.112.i.i.i = inttoptr i64 %.103.i.i.i to ptr
  %564 = getelementptr i8, ptr %.34.i.i222.i, i64 %.idx.i1637.i.i
  %.302.i.i.i = getelementptr i8, ptr %564, i64 24
  %.303.i.i.i = load i64, ptr %.302.i.i.i, align 8, !noalias !112
  %invariant.gep.i.i.i = getelementptr i8, ptr %.112.i.i.i, i64 %.1773.i.i
  %.3861.not.i.i.i = icmp slt i64 %.303.i.i.i, 1
  br i1 %.3861.not.i.i.i, label %B1642.i.i, label %B250.if.preheader.i.i.i

B250.if.preheader.i.i.i:                          ; preds = %B1604.i.i
  %.196.i.i.i = getelementptr i8, ptr %564, i64 16
  %.197.i.i.i = load i64, ptr %.196.i.i.i, align 8, !noalias !112
  br label %B250.if.i.i.i

B302.i.i.i:                                       ; preds = %B250.if.i.i.i
  %.449.i.i.i = icmp slt i64 %.328.02.i.i.i, 0
  %.450.i1638.i.i = select i1 %.449.i.i.i, i64 %.69.i.i223.i, i64 0
  %565 = getelementptr i64, ptr %.75.i.i.i, i64 %.328.02.i.i.i
  %.464.i.i.i158 = getelementptr i64, ptr %565, i64 %.450.i1638.i.i
  %.465.i.i.i = load i64, ptr %.464.i.i.i158, align 8, !noalias !112
  %.468.i.i.i = ashr i64 %.465.i.i.i, 32
  %.492.i.i.i = icmp slt i64 %.468.i.i.i, 0
  %.493.i.i.i = select i1 %.492.i.i.i, i64 %.106.i.i224.i, i64 0
  %.494.i.i.i = add i64 %.493.i.i.i, %.468.i.i.i
  %.514.i.i.i = shl i64 %.494.i.i.i, 8
  %gep.i.i.i = getelementptr i8, ptr %invariant.gep.i.i.i, i64 %.514.i.i.i
  %.519.i.i.i = load i8, ptr %gep.i.i.i, align 1, !noalias !112
  %.521.i.i.i = icmp ne i8 %.519.i.i.i, 0
  %.386.i.i225.i = icmp ugt i64 %.331.03.i.i.i, 1
  br i1 %.386.i.i225.i, label %B250.if.i.i.i.backedge, label %states.takes.exit.i.i

B302.i.thread.i.i:                                ; preds = %B250.if.i.i.i
  %.386.i166.i.i = icmp ugt i64 %.331.03.i.i.i, 1
  br i1 %.386.i166.i.i, label %B250.if.i.i.i.backedge, label %B1654.i.i

B250.if.i.i.i.backedge:                           ; preds = %B302.i.thread.i.i, %B302.i.i.i
  %found.2.04.i.i.i.be = phi i1 [ %.521.i.i.i, %B302.i.i.i ], [ true, %B302.i.thread.i.i ]
  br label %B250.if.i.i.i

B250.if.i.i.i:                                    ; preds = %B250.if.i.i.i.backedge, %B250.if.preheader.i.i.i
  %found.2.04.i.i.i = phi i1 [ false, %B250.if.preheader.i.i.i ], [ %found.2.04.i.i.i.be, %B250.if.i.i.i.backedge ]
  %.331.03.i.i.i = phi i64 [ %.303.i.i.i, %B250.if.preheader.i.i.i ], [ %.395.i.i.i, %B250.if.i.i.i.backedge ]
  %.328.02.i.i.i = phi i64 [ %.197.i.i.i, %B250.if.preheader.i.i.i ], [ %.399.i.i.i, %B250.if.i.i.i.backedge ]
  %.395.i.i.i = add nsw i64 %.331.03.i.i.i, -1
  %.399.i.i.i = add i64 %.328.02.i.i.i, 1
  br i1 %found.2.04.i.i.i, label %B302.i.thread.i.i, label %B302.i.i.i

states.takes.exit.i.i:                            ; preds = %B302.i.i.i
  br i1 %.521.i.i.i, label %B1654.i.i, label %B1642.i.i

B1642.i.i:                                        ; preds = %states.takes.exit.i.i, %B1604.i.i, %B1580.i.i
  br label %B1654.i.i

B1654.i.i:                                        ; preds = %B302.i.thread.i.i, %B1642.i.i, %states.takes.exit.i.i
  %"$phi1654.3.2.3.i.i" = phi i64 [ -1, %B1642.i.i ], [ 0, %states.takes.exit.i.i ], [ 0, %B302.i.thread.i.i ]
  br i1 %.1223.1.not.i.i, label %B1732.i.i, label %B1694.i.i

B1694.i.i:                                        ; preds = %B1654.i.i
  %.25.i1640.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !115
  %.34.i1643.i.i = inttoptr i64 %.25.i1640.i.i to ptr
  %.66.i1645.i.i = load i64, ptr %.67.i.i.i147, align 8, !noalias !115
  %.69.i1647.i.i = load i64, ptr %.70.i.i.i148, align 8, !noalias !115
  %.75.i1648.i.i = inttoptr i64 %.66.i1645.i.i to ptr
  %.103.i1650.i.i = load i64, ptr %.104.i.i.i149, align 8, !noalias !115
  %.106.i1652.i.i = load i64, ptr %.107.i.i186.i, align 8, !noalias !115
  %.112.i1653.i.i = inttoptr i64 %.103.i1650.i.i to ptr
  %566 = getelementptr i8, ptr %.34.i1643.i.i, i64 %.idx.i1657.i.i
  %.302.i1658.i.i = getelementptr i8, ptr %566, i64 24
  %.303.i1659.i.i = load i64, ptr %.302.i1658.i.i, align 8, !noalias !115
  %invariant.gep.i1660.i.i = getelementptr i8, ptr %.112.i1653.i.i, i64 %.1773.i.i
  %.3861.not.i1661.i.i = icmp slt i64 %.303.i1659.i.i, 1
  br i1 %.3861.not.i1661.i.i, label %B1732.i.i, label %B250.if.preheader.i1662.i.i

B250.if.preheader.i1662.i.i:                      ; preds = %B1694.i.i
  %.196.i1663.i.i = getelementptr i8, ptr %566, i64 16
  %.197.i1664.i.i = load i64, ptr %.196.i1663.i.i, align 8, !noalias !115
  br label %B250.if.i1665.i.i

B302.i1684.i.i:                                   ; preds = %B250.if.i1665.i.i
  %.449.i1672.i.i = icmp slt i64 %.328.02.i1668.i.i, 0
  %.450.i1673.i.i = select i1 %.449.i1672.i.i, i64 %.69.i1647.i.i, i64 0
  %567 = getelementptr i64, ptr %.75.i1648.i.i, i64 %.328.02.i1668.i.i
  %.464.i1674.i.i = getelementptr i64, ptr %567, i64 %.450.i1673.i.i
  %.465.i1675.i.i = load i64, ptr %.464.i1674.i.i, align 8, !noalias !115
  %.468.i1676.i.i = ashr i64 %.465.i1675.i.i, 32
  %.492.i1677.i.i = icmp slt i64 %.468.i1676.i.i, 0
  %.493.i1678.i.i = select i1 %.492.i1677.i.i, i64 %.106.i1652.i.i, i64 0
  %.494.i1679.i.i = add i64 %.493.i1678.i.i, %.468.i1676.i.i
  %.514.i1680.i.i = shl i64 %.494.i1679.i.i, 8
  %gep.i1681.i.i = getelementptr i8, ptr %invariant.gep.i1660.i.i, i64 %.514.i1680.i.i
  %.519.i1682.i.i = load i8, ptr %gep.i1681.i.i, align 1, !noalias !115
  %.521.i1683.i.i = icmp ne i8 %.519.i1682.i.i, 0
  %.386.i1686.i.i = icmp ugt i64 %.331.03.i1667.i.i, 1
  br i1 %.386.i1686.i.i, label %B250.if.i1665.i.i.backedge, label %states.takes.exit1689.i.i

B302.i1684.thread.i.i:                            ; preds = %B250.if.i1665.i.i
  %.386.i1686170.i.i = icmp ugt i64 %.331.03.i1667.i.i, 1
  br i1 %.386.i1686170.i.i, label %B250.if.i1665.i.i.backedge, label %B2034.i.i

B250.if.i1665.i.i.backedge:                       ; preds = %B302.i1684.thread.i.i, %B302.i1684.i.i
  %found.2.04.i1666.i.i.be = phi i1 [ %.521.i1683.i.i, %B302.i1684.i.i ], [ true, %B302.i1684.thread.i.i ]
  br label %B250.if.i1665.i.i

B250.if.i1665.i.i:                                ; preds = %B250.if.i1665.i.i.backedge, %B250.if.preheader.i1662.i.i
  %found.2.04.i1666.i.i = phi i1 [ false, %B250.if.preheader.i1662.i.i ], [ %found.2.04.i1666.i.i.be, %B250.if.i1665.i.i.backedge ]
  %.331.03.i1667.i.i = phi i64 [ %.303.i1659.i.i, %B250.if.preheader.i1662.i.i ], [ %.395.i1669.i.i, %B250.if.i1665.i.i.backedge ]
  %.328.02.i1668.i.i = phi i64 [ %.197.i1664.i.i, %B250.if.preheader.i1662.i.i ], [ %.399.i1670.i.i, %B250.if.i1665.i.i.backedge ]
  %.395.i1669.i.i = add nsw i64 %.331.03.i1667.i.i, -1
  %.399.i1670.i.i = add i64 %.328.02.i1668.i.i, 1
  br i1 %found.2.04.i1666.i.i, label %B302.i1684.thread.i.i, label %B302.i1684.i.i

states.takes.exit1689.i.i:                        ; preds = %B302.i1684.i.i
  br i1 %.521.i1683.i.i, label %B2034.i.i, label %B1732.i.i

B1732.i.i:                                        ; preds = %states.takes.exit1689.i.i, %B1694.i.i, %B1654.i.i
  br label %B2034.i.i

B1800.i.i:                                        ; preds = %B1538.i.i
  br i1 %.228.i.i.i, label %B1858.i.i, label %B1826.i.i

B1826.i.i:                                        ; preds = %B1800.i.i
  store i64 0, ptr %.2081.i.i, align 8, !noalias !73
  %.2087.i.i = call fastcc i32 @states.step_once(ptr %.2081.i.i, ptr %excinfo.11.i.i, ptr %.19, i64 %.773.i.i, i64 %.1773.i.i)
  %.2089.not.i.i = icmp eq i32 %.2087.i.i, 0
  br i1 %.2089.not.i.i, label %B1826.endif.i.i, label %B1826.if.i.i, !prof !4

B1858.i.i:                                        ; preds = %B1826.endif.i.i, %B1800.i.i
  %"$phi1858.1.2.4.i.i" = phi i64 [ %.2097.i.i, %B1826.endif.i.i ], [ -1, %B1800.i.i ]
  %.2117.i.i = icmp eq i64 %"$phi1858.1.2.4.i.i", -3
  %or.cond.i199.i = or i1 %.1223.1.not.i.i, %.2117.i.i
  br i1 %or.cond.i199.i, label %B1940.i.i, label %B1908.i.i

B1908.i.i:                                        ; preds = %B1858.i.i
  store i64 0, ptr %.2132.i.i, align 8, !noalias !73
  %.2138.i.i = call fastcc i32 @states.step_once(ptr %.2132.i.i, ptr %excinfo.12.i.i, ptr %.19, i64 %.807.i.i, i64 %.1773.i.i)
  %.2140.not.i.i = icmp eq i32 %.2138.i.i, 0
  br i1 %.2140.not.i.i, label %B1908.endif.i.i, label %B1908.if.i.i, !prof !4

B1940.i.i:                                        ; preds = %B1908.endif.i.i, %B1858.i.i
  %"$phi1940.1.2.4.i.i" = phi i64 [ %.2148.i.i, %B1908.endif.i.i ], [ -1, %B1858.i.i ]
  %.2173.i.i = icmp eq i64 %"$phi1940.1.2.4.i.i", -3
  %or.cond1.i.i = select i1 %.2117.i.i, i1 true, i1 %.2173.i.i
  br i1 %or.cond1.i.i, label %B304.endif.sink.split.i, label %B2000.i.i

B2000.i.i:                                        ; preds = %B1940.i.i
  %.32.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !118
  %.41.i.i.i = inttoptr i64 %.32.i.i.i to ptr
  br label %B76.i.i.i

B76.i.i.i:                                        ; preds = %B422.i.i.i, %B2000.i.i
  %.94.0.i.i.i = phi i64 [ 4, %B2000.i.i ], [ %.158.i1690.i.i, %B422.i.i.i ]
  %b.2.0.i.i.i = phi i64 [ %"$phi1940.1.2.4.i.i", %B2000.i.i ], [ %.493.0.ph.i.i.i, %B422.i.i.i ]
  %a.2.0.i.i.i = phi i64 [ %"$phi1858.1.2.4.i.i", %B2000.i.i ], [ %.450.0.ph24.i.i.i, %B422.i.i.i ]
  %.149.not.i.i.i = icmp eq i64 %.94.0.i.i.i, 0
  br i1 %.149.not.i.i.i, label %B2104.i.i, label %B76.if.i.i.i

B126.i.i.i:                                       ; preds = %B76.if.i.i.i
  %.204.i.i200.i = icmp slt i64 %a.2.0.i.i.i, 0
  %.207.i.i.i = icmp slt i64 %b.2.0.i.i.i, 0
  %or.cond.i1691.i.i = select i1 %.204.i.i200.i, i1 true, i1 %.207.i.i.i
  br i1 %or.cond.i1691.i.i, label %B2104.i.i, label %B150.i.i.i

B150.i.i.i:                                       ; preds = %B126.i.i.i
  %.idx.i1692.i.i = shl i64 %a.2.0.i.i.i, 6
  %568 = getelementptr i8, ptr %.41.i.i.i, i64 %.idx.i1692.i.i
  %.262.i.i.i = getelementptr i8, ptr %568, i64 24
  %.263.i.i.i = load i64, ptr %.262.i.i.i, align 8, !noalias !118
  %.264.not.i.i.i = icmp eq i64 %.263.i.i.i, 1
  br i1 %.264.not.i.i.i, label %B188.i.i.i, label %B2104.i.i

B188.i.i.i:                                       ; preds = %B150.i.i.i
  %.idx25.i.i.i = shl i64 %b.2.0.i.i.i, 6
  %569 = getelementptr i8, ptr %.41.i.i.i, i64 %.idx25.i.i.i
  %.319.i.i.i = getelementptr i8, ptr %569, i64 24
  %.320.i.i.i = load i64, ptr %.319.i.i.i, align 8, !noalias !118
  %.321.not.i.i.i = icmp eq i64 %.320.i.i.i, 1
  br i1 %.321.not.i.i.i, label %B226.i.i.i, label %B2104.i.i

B226.i.i.i:                                       ; preds = %B188.i.i.i
  %.377.i.i.i = load i64, ptr %568, align 8, !noalias !118
  %.432.i.i.i = load i64, ptr %569, align 8, !noalias !118
  %.433.not.i.i.i = icmp eq i64 %.377.i.i.i, %.432.i.i.i
  br i1 %.433.not.i.i.i, label %B324.i.i.i, label %B2104.i.i

B324.i.i.i:                                       ; preds = %B226.i.i.i
  store ptr null, ptr %excinfo.1.i.i.i181.i, align 8, !noalias !122
  %.27.i.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !122
  %.36.i.i.i.i155 = inttoptr i64 %.27.i.i.i.i to ptr
  %570 = getelementptr i8, ptr %.36.i.i.i.i155, i64 %.idx.i1692.i.i
  %.116.i.i.i.i = getelementptr i8, ptr %570, i64 8
  %.117.i.i.i220.i = load i64, ptr %.116.i.i.i.i, align 8, !noalias !122
  %.118.i.i.i.i = icmp eq i64 %.117.i.i.i220.i, -2
  br i1 %.118.i.i.i.i, label %B94.i.i.i.i, label %B324.endif.i.i.i

B94.i.i.i.i:                                      ; preds = %B324.i.i.i
  %.130.i.i.i221.i = load i64, ptr %.67.i.i.i147, align 8, !noalias !122
  %.133.i.i.i.i = load i64, ptr %.70.i.i.i148, align 8, !noalias !122
  %.139.i.i.i.i = inttoptr i64 %.130.i.i.i221.i to ptr
  %.212.i.i.i.i = getelementptr i8, ptr %570, i64 16
  %.213.i.i.i.i = load i64, ptr %.212.i.i.i.i, align 8, !noalias !122
  %.226.i.i.i.i = icmp slt i64 %.213.i.i.i.i, 0
  %.227.i.i.i.i = select i1 %.226.i.i.i.i, i64 %.133.i.i.i.i, i64 0
  %571 = getelementptr i64, ptr %.139.i.i.i.i, i64 %.213.i.i.i.i
  %.241.i.i.i.i = getelementptr i64, ptr %571, i64 %.227.i.i.i.i
  %.242.i.i.i.i = load i64, ptr %.241.i.i.i.i, align 8, !noalias !122
  %.243.i.i.i.i = and i64 %.242.i.i.i.i, 4294967295
  store i64 0, ptr %.245.i.i.i.i, align 8, !noalias !122
  %.251.i.i.i.i = call fastcc i32 @states.state_of(ptr %.245.i.i.i.i, ptr %excinfo.1.i.i.i181.i, ptr nonnull %.19, i64 %.243.i.i.i.i)
  %.253.not.i.i.i.i = icmp eq i32 %.251.i.i.i.i, 0
  %.261.i.i.i.i = load i64, ptr %.245.i.i.i.i, align 8, !noalias !122
  br i1 %.253.not.i.i.i.i, label %B94.endif.i.i.i.i, label %B324.if.i.i.i, !prof !4

B324.endif.thread21.i.i.i:                        ; preds = %B94.endif.i.i.i.i
  store i64 %.261.i.i.i.i, ptr %.116.i.i.i.i, align 8, !noalias !122
  %.27.i293.pre.i.i.i = load i64, ptr %.29.i182.i, align 8, !noalias !126
  %.pre.i.i.i = inttoptr i64 %.27.i293.pre.i.i.i to ptr
  br label %B392.i.i.i

B94.endif.i.i.i.i:                                ; preds = %B94.i.i.i.i
  %.279.i.i.i.i = icmp eq i64 %.261.i.i.i.i, -3
  br i1 %.279.i.i.i.i, label %B324.endif.thread.i.i.i, label %B324.endif.thread21.i.i.i

B324.endif.thread.i.i.i:                          ; preds = %B94.endif.i.i.i.i
  br label %B304.endif.sink.split.i

B392.i.i.i:                                       ; preds = %B324.endif.i.i.i, %B324.endif.thread21.i.i.i
  %.36.i296.pre-phi.i.i.i = phi ptr [ %.pre.i.i.i, %B324.endif.thread21.i.i.i ], [ %.36.i.i.i.i155, %B324.endif.i.i.i ]
  %.450.0.ph24.i.i.i = phi i64 [ %.261.i.i.i.i, %B324.endif.thread21.i.i.i ], [ %.117.i.i.i220.i, %B324.endif.i.i.i ]
  store ptr null, ptr %excinfo.1.i291.i.i.i, align 8, !noalias !126
  %572 = getelementptr i8, ptr %.36.i296.pre-phi.i.i.i, i64 %.idx25.i.i.i
  %.116.i301.i.i.i = getelementptr i8, ptr %572, i64 8
  %.117.i302.i.i.i = load i64, ptr %.116.i301.i.i.i, align 8, !noalias !126
  %.118.i303.i.i.i = icmp eq i64 %.117.i302.i.i.i, -2
  br i1 %.118.i303.i.i.i, label %B94.i307.i.i.i, label %B422.i.i.i

B94.i307.i.i.i:                                   ; preds = %B392.i.i.i
  %.130.i309.i.i.i = load i64, ptr %.67.i.i.i147, align 8, !noalias !126
  %.133.i311.i.i.i = load i64, ptr %.70.i.i.i148, align 8, !noalias !126
  %.139.i312.i.i.i = inttoptr i64 %.130.i309.i.i.i to ptr
  %.212.i313.i.i.i = getelementptr i8, ptr %572, i64 16
  %.213.i314.i.i.i = load i64, ptr %.212.i313.i.i.i, align 8, !noalias !126
  %.226.i315.i.i.i = icmp slt i64 %.213.i314.i.i.i, 0
  %.227.i316.i.i.i = select i1 %.226.i315.i.i.i, i64 %.133.i311.i.i.i, i64 0
  %573 = getelementptr i64, ptr %.139.i312.i.i.i, i64 %.213.i314.i.i.i
  %.241.i317.i.i.i = getelementptr i64, ptr %573, i64 %.227.i316.i.i.i
  %.242.i318.i.i.i = load i64, ptr %.241.i317.i.i.i, align 8, !noalias !126
  %.243.i319.i.i.i = and i64 %.242.i318.i.i.i, 4294967295
  store i64 0, ptr %.245.i290.i.i.i, align 8, !noalias !126
  %.251.i320.i.i.i = call fastcc i32 @states.state_of(ptr %.245.i290.i.i.i, ptr %excinfo.1.i291.i.i.i, ptr nonnull %.19, i64 %.243.i319.i.i.i)
  %.253.not.i321.i.i.i = icmp eq i32 %.251.i320.i.i.i, 0
  %.261.i322.i.i.i = load i64, ptr %.245.i290.i.i.i, align 8, !noalias !126
  br i1 %.253.not.i321.i.i.i, label %B94.endif.i325.i.i.i, label %B392.if.i.i.i, !prof !4

B244.i327.i.i.i:                                  ; preds = %B94.endif.i325.i.i.i
  store i64 %.261.i322.i.i.i, ptr %.116.i301.i.i.i, align 8, !noalias !126
  br label %B422.i.i.i

B94.endif.i325.i.i.i:                             ; preds = %B94.i307.i.i.i
  %.279.i326.i.i.i = icmp eq i64 %.261.i322.i.i.i, -3
  br i1 %.279.i326.i.i.i, label %B422.thread16.i.i.i, label %B244.i327.i.i.i

B422.thread16.i.i.i:                              ; preds = %B94.endif.i325.i.i.i
  br label %B304.endif.sink.split.i

B422.i.i.i:                                       ; preds = %B244.i327.i.i.i, %B392.i.i.i
  %.493.0.ph.i.i.i = phi i64 [ %.117.i302.i.i.i, %B392.i.i.i ], [ %.261.i322.i.i.i, %B244.i327.i.i.i ]
  %.531.i.i.i = icmp eq i64 %.493.0.ph.i.i.i, -3
  br i1 %.531.i.i.i, label %B304.endif.sink.split.i, label %B76.i.i.i

B76.if.i.i.i:                                     ; preds = %B76.i.i.i
  %.158.i1690.i.i = add nsw i64 %.94.0.i.i.i, -1
  %.189.i.i.i = icmp eq i64 %a.2.0.i.i.i, %b.2.0.i.i.i
  br i1 %.189.i.i.i, label %B2513.i.i, label %B126.i.i.i

B324.if.i.i.i:                                    ; preds = %B94.i.i.i.i
  %.252.i.i.i.i = load ptr, ptr %excinfo.1.i.i.i181.i, align 8, !noalias !122
  br label %B304.if.i

B324.endif.i.i.i:                                 ; preds = %B324.i.i.i
  %.482.i.i.i = icmp eq i64 %.117.i.i.i220.i, -3
  br i1 %.482.i.i.i, label %B304.endif.sink.split.i, label %B392.i.i.i

B392.if.i.i.i:                                    ; preds = %B94.i307.i.i.i
  %.252.i324.i.i.i = load ptr, ptr %excinfo.1.i291.i.i.i, align 8, !noalias !126
  br label %B304.if.i

B2034.i.i:                                        ; preds = %B302.i1684.thread.i.i, %B1732.i.i, %states.takes.exit1689.i.i
  %"$phi1744.3.2.3.i.i" = phi i64 [ -1, %B1732.i.i ], [ 0, %states.takes.exit1689.i.i ], [ 0, %B302.i1684.thread.i.i ]
  %.2061.not.i.i = icmp eq i64 %"$phi1654.3.2.3.i.i", %"$phi1744.3.2.3.i.i"
  br i1 %.2061.not.i.i, label %B2513.i.i, label %B2104.i.i

B2104.i.i:                                        ; preds = %B226.i.i.i, %B188.i.i.i, %B150.i.i.i, %B126.i.i.i, %B76.i.i.i, %B2034.i.i
  %two.2.334.i.i = phi i64 [ %"$phi1744.3.2.3.i.i", %B2034.i.i ], [ %"$phi1940.1.2.4.i.i", %B76.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B126.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B150.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B188.i.i.i ], [ %"$phi1940.1.2.4.i.i", %B226.i.i.i ]
  %one.3.333.i.i = phi i64 [ %"$phi1654.3.2.3.i.i", %B2034.i.i ], [ %"$phi1858.1.2.4.i.i", %B76.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B126.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B150.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B188.i.i.i ], [ %"$phi1858.1.2.4.i.i", %B226.i.i.i ]
  %.2337.i.i = icmp slt i64 %one.3.333.i.i, 0
  %574 = xor i64 %one.3.333.i.i, %two.2.334.i.i
  %.2340.i.i = icmp slt i64 %574, 0
  br i1 %.2340.i.i, label %B2132.i.i, label %B2294.i.i

B2132.i.i:                                        ; preds = %B2104.i.i
  %.2359.i.i = select i1 %.1756.i.i, i64 %.254.i.i, i64 0
  %575 = getelementptr i32, ptr %.260.i.i, i64 %.1644.0108.i.i
  %.2373.i.i = getelementptr i32, ptr %575, i64 %.2359.i.i
  %.2374.i.i = load i32, ptr %.2373.i.i, align 4, !noalias !73
  %.2375.i.i = sext i32 %.2374.i.i to i64
  %.27.i1698.i.i = load i64, ptr %.335.i.i, align 8, !noalias !130
  %.30.i.i.i = load i64, ptr %.338.i.i145, align 8, !noalias !130
  %.36.i1699.i.i = inttoptr i64 %.27.i1698.i.i to ptr
  %.64.i.i202.i = load i64, ptr %.63.i.i187.i, align 8, !noalias !130
  %.73.i1700.i.i = inttoptr i64 %.64.i.i202.i to ptr
  %.100.i.i203.i = icmp sgt i32 %.2374.i.i, -2
  %.113.i1701.i.i = sub nuw nsw i64 -2, %.2375.i.i
  %"$phi138.0.2.0.i.i204.i" = select i1 %.100.i.i203.i, i64 %.2375.i.i, i64 %.113.i1701.i.i
  %.133.i.i205.i = icmp sgt i64 %"$phi138.0.2.0.i.i204.i", -1
  br i1 %.133.i.i205.i, label %B152.i.i209.i, label %tokens.several.exit.i206.i

B152.i.i209.i:                                    ; preds = %B2132.i.i, %B152.i.i209.i
  %n.2.0.i.i210.i = phi i64 [ %.169.i.i216.i, %B152.i.i209.i ], [ %n.5.1110.i.i, %B2132.i.i ]
  %t.1.2.0.i.i211.i = phi i64 [ %.205.i.i218.i, %B152.i.i209.i ], [ %"$phi138.0.2.0.i.i204.i", %B2132.i.i ]
  %.150.i.i212.i = icmp slt i64 %n.2.0.i.i210.i, 0
  %.151.i.i213.i = select i1 %.150.i.i212.i, i64 %.30.i.i.i, i64 0
  %576 = getelementptr i32, ptr %.36.i1699.i.i, i64 %n.2.0.i.i210.i
  %.165.i.i214.i = getelementptr i32, ptr %576, i64 %.151.i.i213.i
  %.166.i.i215.i = trunc i64 %t.1.2.0.i.i211.i to i32
  store i32 %.166.i.i215.i, ptr %.165.i.i214.i, align 4, !noalias !130
  %.169.i.i216.i = add nsw i64 %n.2.0.i.i210.i, 1
  %.203.i.i217.i = getelementptr i32, ptr %.73.i1700.i.i, i64 %t.1.2.0.i.i211.i
  %.204.i1703.i.i = load i32, ptr %.203.i.i217.i, align 4, !noalias !130
  %.205.i.i218.i = zext i32 %.204.i1703.i.i to i64
  %.208.i.i219.i = icmp sgt i32 %.204.i1703.i.i, -1
  br i1 %.208.i.i219.i, label %B152.i.i209.i, label %tokens.several.exit.i206.i

tokens.several.exit.i206.i:                       ; preds = %B152.i.i209.i, %B2132.i.i
  %n.3.1.i.i207.i = phi i64 [ %n.5.1110.i.i, %B2132.i.i ], [ %.169.i.i216.i, %B152.i.i209.i ]
  %.2427.i.i = icmp slt i64 %n.5.1110.i.i, %n.3.1.i.i207.i
  %or.cond1612.i.i = select i1 %.2337.i.i, i1 %.2427.i.i, i1 false
  br i1 %or.cond1612.i.i, label %B2232.i.i.preheader, label %B2294.i.i

B2232.i.i.preheader:                              ; preds = %tokens.several.exit.i206.i
  %577 = sub i64 %n.3.1.i.i207.i, %n.5.1110.i.i
  %.neg = add i64 %n.5.1110.i.i, 1
  %xtraiter828 = and i64 %577, 1
  %lcmp.mod829.not = icmp eq i64 %xtraiter828, 0
  br i1 %lcmp.mod829.not, label %B2232.i.i.prol.loopexit, label %B2232.i.i.prol

B2232.i.i.prol:                                   ; preds = %B2232.i.i.preheader
  %.2451.i.i.prol = icmp slt i64 %n.5.1110.i.i, 0
  %.2452.i.i.prol = select i1 %.2451.i.i.prol, i64 %.339.i.i146, i64 0
  %578 = getelementptr i32, ptr %.345.i.i, i64 %n.5.1110.i.i
  %.2466.i.i.prol = getelementptr i32, ptr %578, i64 %.2452.i.i.prol
  %.2467.i.i.prol = load i32, ptr %.2466.i.i.prol, align 4, !noalias !73
  %579 = xor i32 %.2467.i.i.prol, -1
  store i32 %579, ptr %.2466.i.i.prol, align 4, !noalias !73
  %.2503.i.i.prol = add nsw i64 %n.5.1110.i.i, 1
  br label %B2232.i.i.prol.loopexit

B2232.i.i.prol.loopexit:                          ; preds = %B2232.i.i.prol, %B2232.i.i.preheader
  %i.2.4.i.i.unr = phi i64 [ %n.5.1110.i.i, %B2232.i.i.preheader ], [ %.2503.i.i.prol, %B2232.i.i.prol ]
  %580 = icmp eq i64 %n.3.1.i.i207.i, %.neg
  br i1 %580, label %B2294.i.i, label %B2232.i.i

B2232.i.i:                                        ; preds = %B2232.i.i.prol.loopexit, %B2232.i.i
  %i.2.4.i.i = phi i64 [ %.2503.i.i.1, %B2232.i.i ], [ %i.2.4.i.i.unr, %B2232.i.i.prol.loopexit ]
  %.2451.i.i = icmp slt i64 %i.2.4.i.i, 0
  %.2452.i.i = select i1 %.2451.i.i, i64 %.339.i.i146, i64 0
  %581 = getelementptr i32, ptr %.345.i.i, i64 %i.2.4.i.i
  %.2466.i.i = getelementptr i32, ptr %581, i64 %.2452.i.i
  %.2467.i.i = load i32, ptr %.2466.i.i, align 4, !noalias !73
  %582 = xor i32 %.2467.i.i, -1
  store i32 %582, ptr %.2466.i.i, align 4, !noalias !73
  %.2451.i.i.1 = icmp slt i64 %i.2.4.i.i, -1
  %.2452.i.i.1 = select i1 %.2451.i.i.1, i64 %.339.i.i146, i64 0
  %583 = getelementptr i32, ptr %.345.i.i, i64 %i.2.4.i.i
  %584 = getelementptr i8, ptr %583, i64 4
  %.2466.i.i.1 = getelementptr i32, ptr %584, i64 %.2452.i.i.1
  %.2467.i.i.1 = load i32, ptr %.2466.i.i.1, align 4, !noalias !73
  %585 = xor i32 %.2467.i.i.1, -1
  store i32 %585, ptr %.2466.i.i.1, align 4, !noalias !73
  %.2503.i.i.1 = add nsw i64 %i.2.4.i.i, 2
  %exitcond.not.i208.i.1 = icmp eq i64 %.2503.i.i.1, %n.3.1.i.i207.i
  br i1 %exitcond.not.i208.i.1, label %B2294.i.i, label %B2232.i.i

B2294.i.i:                                        ; preds = %B2232.i.i.prol.loopexit, %B2232.i.i, %tokens.several.exit.i206.i, %B2104.i.i
  %n.7.3.i.i = phi i64 [ %n.3.1.i.i207.i, %tokens.several.exit.i206.i ], [ %n.5.1110.i.i, %B2104.i.i ], [ %n.3.1.i.i207.i, %B2232.i.i ], [ %n.3.1.i.i207.i, %B2232.i.i.prol.loopexit ]
  %.2573.i.i = load i32, ptr %.1894.i.i, align 4, !noalias !73
  %.2605.i.i = load i32, ptr %.1926.i.i, align 4, !noalias !73
  %.2606.i.i = icmp slt i32 %.2573.i.i, %.2605.i.i
  br i1 %.2606.i.i, label %B2336.i.i, label %B2513.i.i

B2336.i.i:                                        ; preds = %B2294.i.i
  %.2609.i.i = shl i64 %one.3.333.i.i, 32
  %.2613.i.i = add nsw i64 %two.2.334.i.i, 1
  %.2616.i.i = or i64 %.2609.i.i, %.2613.i.i
  %.2632.i201.i = icmp slt i64 %size.5.1112.i.i, 0
  %.2633.i.i = select i1 %.2632.i201.i, i64 %.301.i.i, i64 0
  %586 = getelementptr i64, ptr %.307.i.i, i64 %size.5.1112.i.i
  %.2647.i.i = getelementptr i64, ptr %586, i64 %.2633.i.i
  store i64 %.1644.0108.i.i, ptr %.2647.i.i, align 8, !noalias !73
  %.2666.i.i = icmp slt i64 %size.5.1112.i.i, -1
  %.2667.i.i = select i1 %.2666.i.i, i64 %.301.i.i, i64 0
  %587 = getelementptr i8, ptr %586, i64 8
  %.2681.i.i = getelementptr i64, ptr %587, i64 %.2667.i.i
  store i64 %.2616.i.i, ptr %.2681.i.i, align 8, !noalias !73
  %.2684.i.i = add nsw i64 %size.5.1112.i.i, 2
  br label %B2513.i.i

B2396.i.i:                                        ; preds = %B2513.i.i, %B1404.i.i
  %n.5.1.lcssa.i.i = phi i64 [ %n.3.0.i.i, %B1404.i.i ], [ %n.6.2.i.i, %B2513.i.i ]
  %size.5.1.lcssa.i.i = phi i64 [ %size.4.0.i.i, %B1404.i.i ], [ %size.6.2.i.i, %B2513.i.i ]
  %.2724.i.i = add nsw i64 %front.4.0.i.i, 2
  %.2731.i.i = mul nsw i64 %.2724.i.i, 192
  %.2762.i.i = load i64, ptr %.177.i.i, align 8, !noalias !73
  %.2763.i.i = add nsw i64 %.2762.i.i, 32768
  %.2764.i.i = icmp sgt i64 %.2731.i.i, %.2763.i.i
  br i1 %.2764.i.i, label %B304.endif.i, label %B2498.i.i

B2498.i.i:                                        ; preds = %B2396.i.i
  %.2810.i.i = icmp slt i64 %.2724.i.i, %size.5.1.lcssa.i.i
  br i1 %.2810.i.i, label %B662.i.i, label %B304.endif.i

B2513.i.i:                                        ; preds = %B76.if.i.i.i, %B2336.i.i, %B2294.i.i, %B2034.i.i, %B1512.i.i, %B1440.i.i
  %n.6.2.i.i = phi i64 [ %n.5.1110.i.i, %B2034.i.i ], [ %n.5.1110.i.i, %B1440.i.i ], [ %n.5.1110.i.i, %B1512.i.i ], [ %n.7.3.i.i, %B2336.i.i ], [ %n.7.3.i.i, %B2294.i.i ], [ %n.5.1110.i.i, %B76.if.i.i.i ]
  %size.6.2.i.i = phi i64 [ %size.5.1112.i.i, %B2034.i.i ], [ %size.5.1112.i.i, %B1440.i.i ], [ %size.5.1112.i.i, %B1512.i.i ], [ %.2684.i.i, %B2336.i.i ], [ %size.5.1112.i.i, %B2294.i.i ], [ %size.5.1112.i.i, %B76.if.i.i.i ]
  %.1701.i.i = icmp sgt i64 %.1647.0109.i.i, 1
  br i1 %.1701.i.i, label %B1440.i.i, label %B2396.i.i

B1826.if.i.i:                                     ; preds = %B1826.i.i
  %.2088.i.i = load ptr, ptr %excinfo.11.i.i, align 8, !noalias !73
  br label %B304.if.i

B1826.endif.i.i:                                  ; preds = %B1826.i.i
  %.2097.i.i = load i64, ptr %.2081.i.i, align 8, !noalias !73
  br label %B1858.i.i

B1908.if.i.i:                                     ; preds = %B1908.i.i
  %.2139.i.i = load ptr, ptr %excinfo.12.i.i, align 8, !noalias !73
  br label %B304.if.i

B1908.endif.i.i:                                  ; preds = %B1908.i.i
  %.2148.i.i = load i64, ptr %.2132.i.i, align 8, !noalias !73
  br label %B1940.i.i

B360.i:                                           ; preds = %B276
  store ptr null, ptr %excinfo.1.i231.i, align 8, !noalias !133
  %.24.i.i = getelementptr i8, ptr %.19, i64 120
  %.25.i.i = load i64, ptr %.24.i.i, align 8, !noalias !133
  %.27.i232.i = getelementptr i8, ptr %.19, i64 136
  %.28.i.i = load i64, ptr %.27.i232.i, align 8, !noalias !133
  %.34.i.i = inttoptr i64 %.25.i.i to ptr
  %.66.i.i = getelementptr i8, ptr %.19, i64 96
  %.67.i.i = load i64, ptr %.66.i.i, align 8, !noalias !133
  %.69.i233.i = getelementptr i8, ptr %.19, i64 112
  %.70.i.i = load i64, ptr %.69.i233.i, align 8, !noalias !133
  %.76.i.i = inttoptr i64 %.67.i.i to ptr
  %.104.i.i = getelementptr i8, ptr %.19, i64 192
  %.105.i.i = load i64, ptr %.104.i.i, align 8, !noalias !133
  %.107.i234.i = getelementptr i8, ptr %.19, i64 208
  %.108.i.i = load i64, ptr %.107.i234.i, align 8, !noalias !133
  %.114.i.i = inttoptr i64 %.105.i.i to ptr
  %.155.i.i = getelementptr i8, ptr %.19, i64 624
  %.156.i.i = load i64, ptr %.155.i.i, align 8, !noalias !133
  %.165.i.i = inttoptr i64 %.156.i.i to ptr
  %.193.i.i = getelementptr i8, ptr %.19, i64 360
  %.194.i.i = load i64, ptr %.193.i.i, align 8, !noalias !133
  %.196.i235.i = getelementptr i8, ptr %.19, i64 376
  %.197.i.i = load i64, ptr %.196.i235.i, align 8, !noalias !133
  %.203.i.i = inttoptr i64 %.194.i.i to ptr
  store i64 %arg.x, ptr %.203.i.i, align 8, !noalias !133
  br label %B248.i.i

B248.i.i:                                         ; preds = %B858.i.i, %B360.i
  %count.5.0.i.i = phi i64 [ 1, %B360.i ], [ %count.3.2.i.i, %B858.i.i ]
  %i.2.0.i.i = phi i64 [ 0, %B360.i ], [ %.309.i.i, %B858.i.i ]
  %.303.i.i = getelementptr i64, ptr %.203.i.i, i64 %i.2.0.i.i
  %.304.i.i = load i64, ptr %.303.i.i, align 8, !noalias !133
  %.309.i.i = add nuw nsw i64 %i.2.0.i.i, 1
  %.342.i.i = icmp slt i64 %.304.i.i, 0
  %.343.i.i = select i1 %.342.i.i, i64 %.28.i.i, i64 0
  %.344.i.i = add i64 %.343.i.i, %.304.i.i
  %.idx.i236.i = shl i64 %.344.i.i, 6
  %588 = getelementptr i8, ptr %.34.i.i, i64 %.idx.i236.i
  %.478.i.i142 = getelementptr i8, ptr %588, i64 24
  %.479.i237.i = load i64, ptr %.478.i.i142, align 8, !noalias !133
  %.5626.not.i.i = icmp slt i64 %.479.i237.i, 1
  br i1 %.5626.not.i.i, label %B570.if.i.i.preheader, label %B390.if.preheader.i.i

B570.if.i.i.preheader:                            ; preds = %B390.loopexit.i.i, %B248.i.i
  br label %B570.if.i.i

B390.if.preheader.i.i:                            ; preds = %B248.i.i
  %.368.i.i = getelementptr i8, ptr %588, i64 16
  %.369.i.i = load i64, ptr %.368.i.i, align 8, !noalias !133
  br label %B390.if.i.i

B390.loopexit.i.i:                                ; preds = %B458.i.i
  %.562.i.i = icmp sgt i64 %.507.08.i.i, 1
  br i1 %.562.i.i, label %B390.if.i.i, label %B570.if.i.i.preheader

B458.i.i:                                         ; preds = %B458.if.i.i.3, %B390.if.i.i
  %.725.0.i.i = phi i64 [ 0, %B390.if.i.i ], [ %.794.i.i.3, %B458.if.i.i.3 ]
  %exitcond.not.i239.i = icmp eq i64 %.725.0.i.i, 256
  br i1 %exitcond.not.i239.i, label %B390.loopexit.i.i, label %B458.if.i.i

B600.i.i:                                         ; preds = %B570.if.i.i
  store i64 0, ptr %.1094.i.i, align 8, !noalias !133
  %.1100.i.i = call fastcc i32 @states.step(ptr %.1094.i.i, ptr %excinfo.1.i231.i, ptr %.19, i64 %.304.i.i, i64 %.948.013.i.i)
  %.1102.not.i.i = icmp eq i32 %.1100.i.i, 0
  %.1110.i.i = load i64, ptr %.1094.i.i, align 8, !noalias !133
  br i1 %.1102.not.i.i, label %B600.endif.i.i, label %B360.if.i, !prof !4

B700.i.i:                                         ; preds = %B600.endif.i.i
  %.1151.i.i = icmp sgt i64 %.1110.i.i, -1
  %.12359.not.i.i = icmp slt i64 %count.2.115.i.i, 1
  br i1 %.12359.not.i.i, label %B776.i.i, label %B742.if.i.i.preheader

B742.if.i.i.preheader:                            ; preds = %B700.i.i
  %xtraiter822 = and i64 %count.2.115.i.i, 3
  %589 = icmp ult i64 %count.2.115.i.i, 4
  br i1 %589, label %B742.if.i.i.epil.preheader, label %B742.if.i.i.preheader.new

B742.if.i.i.preheader.new:                        ; preds = %B742.if.i.i.preheader
  %unroll_iter826 = and i64 %count.2.115.i.i, 9223372036854775804
  br label %B742.if.i.i

B750.i.i:                                         ; preds = %B742.if.i.i
  %590 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %.1314.i.i = load i64, ptr %590, align 8, !noalias !133
  %.1318.i243.i = icmp ne i64 %.1314.i.i, %.1110.i.i
  br i1 %.1318.i243.i, label %B750.i.i.1, label %B772.i.i.2

B750.i.i.1:                                       ; preds = %B750.i.i
  %591 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %592 = getelementptr i8, ptr %591, i64 8
  %.1314.i.i.1 = load i64, ptr %592, align 8, !noalias !133
  %.1318.i243.i.1 = icmp ne i64 %.1314.i.i.1, %.1110.i.i
  br i1 %.1318.i243.i.1, label %B750.i.i.2, label %B772.i.i.2

B750.i.i.2:                                       ; preds = %B750.i.i.1
  %593 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %594 = getelementptr i8, ptr %593, i64 16
  %.1314.i.i.2 = load i64, ptr %594, align 8, !noalias !133
  %.1318.i243.i.2 = icmp ne i64 %.1314.i.i.2, %.1110.i.i
  br label %B772.i.i.2

B772.i.i.2:                                       ; preds = %B750.i.i, %B742.if.i.i, %B750.i.i.2, %B750.i.i.1
  %"$phi772.2.2.4.i.i.2" = phi i1 [ %.1318.i243.i.2, %B750.i.i.2 ], [ false, %B750.i.i.1 ], [ false, %B742.if.i.i ], [ false, %B750.i.i ]
  %.1248.i.i.3 = add nuw nsw i64 %.1179.010.i.i, 4
  br i1 %"$phi772.2.2.4.i.i.2", label %B750.i.i.3, label %B772.i.i.3

B750.i.i.3:                                       ; preds = %B772.i.i.2
  %595 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i
  %596 = getelementptr i8, ptr %595, i64 24
  %.1314.i.i.3 = load i64, ptr %596, align 8, !noalias !133
  %.1318.i243.i.3 = icmp ne i64 %.1314.i.i.3, %.1110.i.i
  br label %B772.i.i.3

B772.i.i.3:                                       ; preds = %B750.i.i.3, %B772.i.i.2
  %"$phi772.2.2.4.i.i.3" = phi i1 [ %.1318.i243.i.3, %B750.i.i.3 ], [ false, %B772.i.i.2 ]
  %niter827.next.3 = add i64 %niter827, 4
  %niter827.ncmp.3 = icmp eq i64 %niter827.next.3, %unroll_iter826
  br i1 %niter827.ncmp.3, label %B776.i.i.loopexit.unr-lcssa, label %B742.if.i.i

B776.i.i.loopexit.unr-lcssa:                      ; preds = %B772.i.i.3
  %lcmp.mod823.not = icmp eq i64 %xtraiter822, 0
  br i1 %lcmp.mod823.not, label %B776.i.i, label %B742.if.i.i.epil.preheader

B742.if.i.i.epil.preheader:                       ; preds = %B776.i.i.loopexit.unr-lcssa, %B742.if.i.i.preheader
  %new.2.312.i.i.epil.init = phi i1 [ %.1151.i.i, %B742.if.i.i.preheader ], [ %"$phi772.2.2.4.i.i.3", %B776.i.i.loopexit.unr-lcssa ]
  %.1179.010.i.i.epil.init = phi i64 [ 0, %B742.if.i.i.preheader ], [ %.1248.i.i.3, %B776.i.i.loopexit.unr-lcssa ]
  %lcmp.mod825 = icmp ne i64 %xtraiter822, 0
  tail call void @llvm.assume(i1 %lcmp.mod825)
  br label %B742.if.i.i.epil

B742.if.i.i.epil:                                 ; preds = %B772.i.i.epil, %B742.if.i.i.epil.preheader
  %new.2.312.i.i.epil = phi i1 [ %"$phi772.2.2.4.i.i.epil", %B772.i.i.epil ], [ %new.2.312.i.i.epil.init, %B742.if.i.i.epil.preheader ]
  %.1179.010.i.i.epil = phi i64 [ %.1248.i.i.epil, %B772.i.i.epil ], [ %.1179.010.i.i.epil.init, %B742.if.i.i.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B772.i.i.epil ], [ 0, %B742.if.i.i.epil.preheader ]
  %.1248.i.i.epil = add nuw nsw i64 %.1179.010.i.i.epil, 1
  br i1 %new.2.312.i.i.epil, label %B750.i.i.epil, label %B772.i.i.epil

B750.i.i.epil:                                    ; preds = %B742.if.i.i.epil
  %597 = getelementptr i64, ptr %.203.i.i, i64 %.1179.010.i.i.epil
  %.1314.i.i.epil = load i64, ptr %597, align 8, !noalias !133
  %.1318.i243.i.epil = icmp ne i64 %.1314.i.i.epil, %.1110.i.i
  br label %B772.i.i.epil

B772.i.i.epil:                                    ; preds = %B750.i.i.epil, %B742.if.i.i.epil
  %"$phi772.2.2.4.i.i.epil" = phi i1 [ %.1318.i243.i.epil, %B750.i.i.epil ], [ false, %B742.if.i.i.epil ]
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter822
  br i1 %epil.iter.cmp.not, label %B776.i.i, label %B742.if.i.i.epil, !llvm.loop !137

B776.i.i:                                         ; preds = %B776.i.i.loopexit.unr-lcssa, %B772.i.i.epil, %B700.i.i
  %new.2.3.lcssa.i.i = phi i1 [ %.1151.i.i, %B700.i.i ], [ %"$phi772.2.2.4.i.i.3", %B776.i.i.loopexit.unr-lcssa ], [ %"$phi772.2.2.4.i.i.epil", %B772.i.i.epil ]
  br i1 %new.2.3.lcssa.i.i, label %B780.i.i, label %B873.i.i

B780.i.i:                                         ; preds = %B776.i.i
  %.1345.i.i = icmp eq i64 %count.2.115.i.i, 16
  br i1 %.1345.i.i, label %B360.endif.i, label %B836.i.i

B836.i.i:                                         ; preds = %B780.i.i
  %.1386.i.i = icmp slt i64 %count.2.115.i.i, 0
  %.1387.i242.i = select i1 %.1386.i.i, i64 %.197.i.i, i64 0
  %598 = getelementptr i64, ptr %.203.i.i, i64 %count.2.115.i.i
  %.1401.i.i = getelementptr i64, ptr %598, i64 %.1387.i242.i
  store i64 %.1110.i.i, ptr %.1401.i.i, align 8, !noalias !133
  %.1406.i.i = add nsw i64 %count.2.115.i.i, 1
  br label %B873.i.i

B858.i.i:                                         ; preds = %B873.i.i
  %.1436.i.i = icmp slt i64 %.309.i.i, %count.3.2.i.i
  br i1 %.1436.i.i, label %B248.i.i, label %B360.endif.i

B873.i.i:                                         ; preds = %B570.if.i.i, %B836.i.i, %B776.i.i
  %count.3.2.i.i = phi i64 [ %count.2.115.i.i, %B570.if.i.i ], [ %.1406.i.i, %B836.i.i ], [ %count.2.115.i.i, %B776.i.i ]
  %exitcond17.not.i.i = icmp eq i64 %.1017.i.i, 128
  br i1 %exitcond17.not.i.i, label %B858.i.i, label %B570.if.i.i

B390.if.i.i:                                      ; preds = %B390.loopexit.i.i, %B390.if.preheader.i.i
  %.507.08.i.i = phi i64 [ %.571.i.i, %B390.loopexit.i.i ], [ %.479.i237.i, %B390.if.preheader.i.i ]
  %.504.07.i.i = phi i64 [ %.575.i.i, %B390.loopexit.i.i ], [ %.369.i.i, %B390.if.preheader.i.i ]
  %.571.i.i = add nsw i64 %.507.08.i.i, -1
  %.575.i.i = add i64 %.504.07.i.i, 1
  %.613.i.i = icmp slt i64 %.504.07.i.i, 0
  %.614.i238.i = select i1 %.613.i.i, i64 %.70.i.i, i64 0
  %599 = getelementptr i64, ptr %.76.i.i, i64 %.504.07.i.i
  %.628.i.i143 = getelementptr i64, ptr %599, i64 %.614.i238.i
  %.629.i.i = load i64, ptr %.628.i.i143, align 8, !noalias !133
  %.630.i.i = ashr i64 %.629.i.i, 32
  %.649.i.i = icmp slt i64 %.630.i.i, 0
  %.650.i.i = select i1 %.649.i.i, i64 %.108.i.i, i64 0
  %.651.i.i = add i64 %.650.i.i, %.630.i.i
  %.668.i.i = shl i64 %.651.i.i, 8
  %.670.i.i = getelementptr i8, ptr %.114.i.i, i64 %.668.i.i
  br label %B458.i.i

B458.if.i.i:                                      ; preds = %B458.i.i
  %.794.i.i = or i64 %.725.0.i.i, 1
  %.847.i.i = getelementptr i8, ptr %.670.i.i, i64 %.725.0.i.i
  %.848.i.i = load i8, ptr %.847.i.i, align 1, !noalias !133
  %600 = getelementptr i8, ptr %.165.i.i, i64 %.725.0.i.i
  %.878.i.i = load i8, ptr %600, align 1, !noalias !133
  %.879.i.i = icmp ugt i8 %.848.i.i, %.878.i.i
  br i1 %.879.i.i, label %B360.endif.i, label %B458.if.i.i.1

B458.if.i.i.1:                                    ; preds = %B458.if.i.i
  %.794.i.i.1 = or i64 %.725.0.i.i, 2
  %.847.i.i.1 = getelementptr i8, ptr %.670.i.i, i64 %.794.i.i
  %.848.i.i.1 = load i8, ptr %.847.i.i.1, align 1, !noalias !133
  %601 = getelementptr i8, ptr %.165.i.i, i64 %.794.i.i
  %.878.i.i.1 = load i8, ptr %601, align 1, !noalias !133
  %.879.i.i.1 = icmp ugt i8 %.848.i.i.1, %.878.i.i.1
  br i1 %.879.i.i.1, label %B360.endif.i, label %B458.if.i.i.2

B458.if.i.i.2:                                    ; preds = %B458.if.i.i.1
  %.794.i.i.2 = or i64 %.725.0.i.i, 3
  %.847.i.i.2 = getelementptr i8, ptr %.670.i.i, i64 %.794.i.i.1
  %.848.i.i.2 = load i8, ptr %.847.i.i.2, align 1, !noalias !133
  %602 = getelementptr i8, ptr %.165.i.i, i64 %.794.i.i.1
  %.878.i.i.2 = load i8, ptr %602, align 1, !noalias !133
  %.879.i.i.2 = icmp ugt i8 %.848.i.i.2, %.878.i.i.2
  br i1 %.879.i.i.2, label %B360.endif.i, label %B458.if.i.i.3

B458.if.i.i.3:                                    ; preds = %B458.if.i.i.2
  %.794.i.i.3 = add nuw nsw i64 %.725.0.i.i, 4
  %.847.i.i.3 = getelementptr i8, ptr %.670.i.i, i64 %.794.i.i.2
  %.848.i.i.3 = load i8, ptr %.847.i.i.3, align 1, !noalias !133
  %603 = getelementptr i8, ptr %.165.i.i, i64 %.794.i.i.2
  %.878.i.i.3 = load i8, ptr %603, align 1, !noalias !133
  %.879.i.i.3 = icmp ugt i8 %.848.i.i.3, %.878.i.i.3
  br i1 %.879.i.i.3, label %B360.endif.i, label %B458.i.i

B570.if.i.i:                                      ; preds = %B570.if.i.i.preheader, %B873.i.i
  %count.2.115.i.i = phi i64 [ %count.3.2.i.i, %B873.i.i ], [ %count.5.0.i.i, %B570.if.i.i.preheader ]
  %.948.013.i.i = phi i64 [ %.1017.i.i, %B873.i.i ], [ 0, %B570.if.i.i.preheader ]
  %.1017.i.i = add nuw nsw i64 %.948.013.i.i, 1
  %604 = getelementptr i8, ptr %.165.i.i, i64 %.948.013.i.i
  %.1075.i.i = load i8, ptr %604, align 1, !noalias !133
  %.1077.i.i = icmp eq i8 %.1075.i.i, 0
  br i1 %.1077.i.i, label %B873.i.i, label %B600.i.i

B600.endif.i.i:                                   ; preds = %B600.i.i
  %.1124.i.i = icmp eq i64 %.1110.i.i, -3
  br i1 %.1124.i.i, label %B360.endif.i, label %B700.i.i

B742.if.i.i:                                      ; preds = %B772.i.i.3, %B742.if.i.i.preheader.new
  %new.2.312.i.i = phi i1 [ %.1151.i.i, %B742.if.i.i.preheader.new ], [ %"$phi772.2.2.4.i.i.3", %B772.i.i.3 ]
  %.1179.010.i.i = phi i64 [ 0, %B742.if.i.i.preheader.new ], [ %.1248.i.i.3, %B772.i.i.3 ]
  %niter827 = phi i64 [ 0, %B742.if.i.i.preheader.new ], [ %niter827.next.3, %B772.i.i.3 ]
  br i1 %new.2.312.i.i, label %B750.i.i, label %B772.i.i.2

B414.i:                                           ; preds = %B276
  store ptr null, ptr %excinfo.3.i244.i, align 8, !noalias !139
  %.25.i245.i = getelementptr i8, ptr %.19, i64 456
  %.26.i246.i = load i64, ptr %.25.i245.i, align 8, !noalias !139
  %.28.i247.i = getelementptr i8, ptr %.19, i64 472
  %.29.i248.i = load i64, ptr %.28.i247.i, align 8, !noalias !139
  %.35.i.i = inttoptr i64 %.26.i246.i to ptr
  %.63.i.i138 = getelementptr i8, ptr %.19, i64 480
  %.64.i.i = load i64, ptr %.63.i.i138, align 8, !noalias !139
  %.66.i249.i = getelementptr i8, ptr %.19, i64 496
  %.67.i250.i = load i64, ptr %.66.i249.i, align 8, !noalias !139
  %.73.i.i139 = inttoptr i64 %.64.i.i to ptr
  %.101.i.i = getelementptr i8, ptr %.19, i64 504
  %.102.i.i140 = load i64, ptr %.101.i.i, align 8, !noalias !139
  %.104.i251.i = getelementptr i8, ptr %.19, i64 520
  %.105.i252.i = load i64, ptr %.104.i251.i, align 8, !noalias !139
  %.111.i.i = inttoptr i64 %.102.i.i140 to ptr
  %.148.i.i = getelementptr i8, ptr %.19, i64 432
  %.149.i.i = load i64, ptr %.148.i.i, align 8, !noalias !139
  %.151.i.i = getelementptr i8, ptr %.19, i64 448
  %.152.i.i = load i64, ptr %.151.i.i, align 8, !noalias !139
  %.158.i253.i = inttoptr i64 %.149.i.i to ptr
  %.186.i.i = getelementptr i8, ptr %.19, i64 408
  %.187.i.i = load i64, ptr %.186.i.i, align 8, !noalias !139
  %.189.i.i = getelementptr i8, ptr %.19, i64 424
  %.190.i.i141 = load i64, ptr %.189.i.i, align 8, !noalias !139
  %.196.i254.i = inttoptr i64 %.187.i.i to ptr
  store i64 %arg.y, ptr %.158.i253.i, align 8, !noalias !139
  %.297.i255.i = getelementptr i8, ptr %.158.i253.i, i64 8
  store i64 %arg.x, ptr %.297.i255.i, align 8, !noalias !139
  %.49.i.i256.i = getelementptr i8, ptr %.19, i64 440
  %.49.i772.i.i = getelementptr i8, ptr %.19, i64 416
  br label %B350.i.i

B350.i.i:                                         ; preds = %B1164.i.i, %B414.i
  %n.3.0.i257.i = phi i64 [ 0, %B414.i ], [ %n.4.1.lcssa.i.i, %B1164.i.i ]
  %size.2.0.i.i = phi i64 [ 2, %B414.i ], [ %size.3.1.lcssa.i.i, %B1164.i.i ]
  %front.2.0.i.i = phi i64 [ 0, %B414.i ], [ %.419.i.i, %B1164.i.i ]
  %.341.i.i = getelementptr i64, ptr %.158.i253.i, i64 %front.2.0.i.i
  %.342.i258.i = load i64, ptr %.341.i.i, align 8, !noalias !139
  %.373.i259.i = getelementptr i8, ptr %.341.i.i, i64 8
  %.374.i260.i = load i64, ptr %.373.i259.i, align 8, !noalias !139
  %.375.i.i = and i64 %.374.i260.i, 65535
  %.408.i.i = ashr i64 %.374.i260.i, 16
  %.419.i.i = add nuw nsw i64 %front.2.0.i.i, 2
  %.440.i.i = icmp slt i64 %.342.i258.i, -1
  %.441.i261.i = select i1 %.440.i.i, i64 %.67.i250.i, i64 0
  %605 = getelementptr i32, ptr %.73.i.i139, i64 %.342.i258.i
  %606 = getelementptr i8, ptr %605, i64 4
  %.455.i.i = getelementptr i32, ptr %606, i64 %.441.i261.i
  %.456.i.i = load i32, ptr %.455.i.i, align 4, !noalias !139
  %.471.i.i = icmp slt i64 %.342.i258.i, 0
  %.472.i.i = select i1 %.471.i.i, i64 %.67.i250.i, i64 0
  %.486.i.i = getelementptr i32, ptr %605, i64 %.472.i.i
  %.487.i.i = load i32, ptr %.486.i.i, align 4, !noalias !139
  %.488.i.i = sext i32 %.456.i.i to i64
  %.489.i262.i = sext i32 %.487.i.i to i64
  %.490.i.i = sub nsw i64 %.488.i.i, %.489.i262.i
  %.496.i.i = shl nsw i64 %.490.i.i, 1
  %.50.i.i263.i = load i64, ptr %.49.i.i256.i, align 8, !noalias !143
  %.498.i.i = add i64 %.50.i.i263.i, %size.2.0.i.i
  %.51.i.i264.i = add i64 %.498.i.i, %.496.i.i
  %.83.i.i265.i = load i64, ptr %.151.i.i, align 8, !noalias !143
  %.84.not.i.i266.i = icmp sgt i64 %.51.i.i264.i, %.83.i.i265.i
  br i1 %.84.not.i.i266.i, label %B610.i.i, label %B554.i.i

B554.i.i:                                         ; preds = %B350.i.i
  %.540.i.i = mul nsw i64 %.490.i.i, 6
  %.544.i.i = add nsw i64 %.540.i.i, %n.3.0.i257.i
  %.50.i773.i.i = load i64, ptr %.49.i772.i.i, align 8, !noalias !146
  %.51.i774.i.i = add nsw i64 %.544.i.i, %.50.i773.i.i
  %.83.i776.i.i = load i64, ptr %.189.i.i, align 8, !noalias !146
  %.84.not.i777.i.i = icmp sgt i64 %.51.i774.i.i, %.83.i776.i.i
  br i1 %.84.not.i777.i.i, label %B610.i.i, label %B624.i.i

B610.i.i:                                         ; preds = %B554.i.i, %B350.i.i
  %.sink.i.i = phi i64 [ 54, %B350.i.i ], [ 51, %B554.i.i ]
  %.122.i780.i.i = getelementptr i8, ptr %.19, i64 816
  store i64 %.sink.i.i, ptr %.122.i780.i.i, align 8, !noalias !139
  br label %B414.endif.i

B624.i.i:                                         ; preds = %B554.i.i
  %.725.i267.i = sub i32 %.456.i.i, %.487.i.i
  %.76812.not.i.i = icmp slt i32 %.725.i267.i, 1
  br i1 %.76812.not.i.i, label %B1164.i.i, label %B686.if.lr.ph.i.i

B686.if.lr.ph.i.i:                                ; preds = %B624.i.i
  %.918.i.i = icmp eq i64 %.375.i.i, %arg.x
  %.1073.i.i = trunc i64 %.408.i.i to i32
  %.1108.i.i = zext i1 %.918.i.i to i64
  %.1109.i.i = add nsw i64 %.408.i.i, %.1108.i.i
  %.1276.i.i = trunc i64 %.1109.i.i to i32
  %.1366.i.i = shl i64 %.1109.i.i, 16
  br label %B686.if.i.i

B802.i272.i:                                      ; preds = %B688.endif.i.i
  %.910.i273.i = icmp slt i64 %.861.i.i, 0
  %.925.i.i = icmp eq i64 %.861.i.i, %arg.x
  %or.cond.i274.i = select i1 %.918.i.i, i1 %.925.i.i, i1 false
  %or.cond18.i.i = select i1 %.910.i273.i, i1 true, i1 %or.cond.i274.i
  br i1 %or.cond18.i.i, label %B838.i.i, label %B942.i.i

B838.i.i:                                         ; preds = %B802.i272.i
  br i1 %.918.i.i, label %B850.i.i, label %B930.i.i

B850.i.i:                                         ; preds = %B838.i.i
  %.964.i.i = load i8, ptr %.840.i.i, align 1, !noalias !139
  %607 = zext i8 %.964.i.i to i32
  br label %B930.i.i

B930.i.i:                                         ; preds = %B850.i.i, %B838.i.i
  %"$phi878.1.2.3.i.i" = phi i32 [ %607, %B850.i.i ], [ 256, %B838.i.i ]
  %.988.i.i = icmp slt i64 %n.4.115.i.i, 0
  %.989.i.i = select i1 %.988.i.i, i64 %.190.i.i141, i64 0
  %608 = getelementptr i32, ptr %.196.i254.i, i64 %n.4.115.i.i
  %.1003.i.i = getelementptr i32, ptr %608, i64 %.989.i.i
  store i32 %"$phi878.1.2.3.i.i", ptr %.1003.i.i, align 4, !noalias !139
  %.1024.i.i = icmp slt i64 %n.4.115.i.i, -1
  %.1025.i.i = select i1 %.1024.i.i, i64 %.190.i.i141, i64 0
  %609 = getelementptr i8, ptr %608, i64 4
  %.1039.i.i = getelementptr i32, ptr %609, i64 %.1025.i.i
  store i32 %.712.013.i.i, ptr %.1039.i.i, align 4, !noalias !139
  %.1057.i.i = icmp slt i64 %n.4.115.i.i, -2
  %.1058.i.i = select i1 %.1057.i.i, i64 %.190.i.i141, i64 0
  %610 = getelementptr i8, ptr %608, i64 8
  %.1072.i.i = getelementptr i32, ptr %610, i64 %.1058.i.i
  store i32 %.1073.i.i, ptr %.1072.i.i, align 4, !noalias !139
  %.1076.i.i = add nsw i64 %n.4.115.i.i, 3
  %.1093.i.i = icmp sgt i64 %.861.i.i, -1
  br i1 %.1093.i.i, label %B942.i.i, label %B1162.i278.i

B942.i.i:                                         ; preds = %B930.i.i, %B802.i272.i
  %n.7.37.i.i = phi i64 [ %.1076.i.i, %B930.i.i ], [ %n.4.115.i.i, %B802.i272.i ]
  %.1129.i.i = select i1 %.825.i.i, i64 %.105.i252.i, i64 0
  %611 = getelementptr i32, ptr %.111.i.i, i64 %.1129.i.i
  %.1143.i.i = getelementptr i32, ptr %611, i64 %.812.i268.i
  %.1144.i.i = load i32, ptr %.1143.i.i, align 4, !noalias !139
  %.1146.not.i.i = icmp eq i32 %.1144.i.i, -1
  br i1 %.1146.not.i.i, label %B1070.i.i, label %B994.i.i

B994.i.i:                                         ; preds = %B942.i.i
  %.1194.i.i = icmp slt i64 %n.7.37.i.i, 0
  %.1195.i.i = select i1 %.1194.i.i, i64 %.190.i.i141, i64 0
  %612 = getelementptr i32, ptr %.196.i254.i, i64 %n.7.37.i.i
  %.1209.i275.i = getelementptr i32, ptr %612, i64 %.1195.i.i
  store i32 257, ptr %.1209.i275.i, align 4, !noalias !139
  %.1227.i.i = icmp slt i64 %n.7.37.i.i, -1
  %.1228.i.i = select i1 %.1227.i.i, i64 %.190.i.i141, i64 0
  %613 = getelementptr i8, ptr %612, i64 4
  %.1242.i.i = getelementptr i32, ptr %613, i64 %.1228.i.i
  store i32 %.1144.i.i, ptr %.1242.i.i, align 4, !noalias !139
  %.1260.i.i = icmp slt i64 %n.7.37.i.i, -2
  %.1261.i.i = select i1 %.1260.i.i, i64 %.190.i.i141, i64 0
  %614 = getelementptr i8, ptr %612, i64 8
  %.1275.i.i = getelementptr i32, ptr %614, i64 %.1261.i.i
  store i32 %.1276.i.i, ptr %.1275.i.i, align 4, !noalias !139
  %.1279.i.i = add nsw i64 %n.7.37.i.i, 3
  br label %B1070.i.i

B1070.i.i:                                        ; preds = %B994.i.i, %B942.i.i
  %n.6.3.i276.i = phi i64 [ %.1279.i.i, %B994.i.i ], [ %n.7.37.i.i, %B942.i.i ]
  %.1309.i.i = select i1 %.825.i.i, i64 %.67.i250.i, i64 0
  %615 = getelementptr i32, ptr %.73.i.i139, i64 %.1309.i.i
  %.1323.i.i = getelementptr i32, ptr %615, i64 %.812.i268.i
  %.1324.i277.i = load i32, ptr %.1323.i.i, align 4, !noalias !139
  %.1341.i.i = icmp slt i32 %.712.013.i.i, -1
  %.1342.i.i = select i1 %.1341.i.i, i64 %.67.i250.i, i64 0
  %616 = getelementptr i32, ptr %.73.i.i139, i64 %.812.i268.i
  %617 = getelementptr i8, ptr %616, i64 4
  %.1356.i.i = getelementptr i32, ptr %617, i64 %.1342.i.i
  %.1357.i.i = load i32, ptr %.1356.i.i, align 4, !noalias !139
  %.1358.i.i = icmp slt i32 %.1324.i277.i, %.1357.i.i
  br i1 %.1358.i.i, label %B1112.i279.i, label %B1162.i278.i

B1112.i279.i:                                     ; preds = %B1070.i.i
  %.1370.i.i = or i64 %.861.i.i, %.1366.i.i
  %.1388.i.i = icmp slt i64 %size.3.116.i.i, 0
  %.1389.i.i = select i1 %.1388.i.i, i64 %.152.i.i, i64 0
  %618 = getelementptr i64, ptr %.158.i253.i, i64 %size.3.116.i.i
  %.1403.i.i = getelementptr i64, ptr %618, i64 %.1389.i.i
  store i64 %.812.i268.i, ptr %.1403.i.i, align 8, !noalias !139
  %.1423.i.i = icmp slt i64 %size.3.116.i.i, -1
  %.1424.i.i = select i1 %.1423.i.i, i64 %.152.i.i, i64 0
  %619 = getelementptr i8, ptr %618, i64 8
  %.1438.i.i = getelementptr i64, ptr %619, i64 %.1424.i.i
  store i64 %.1370.i.i, ptr %.1438.i.i, align 8, !noalias !139
  %.1441.i.i = add nsw i64 %size.3.116.i.i, 2
  br label %B1162.i278.i

B1162.i278.i:                                     ; preds = %B1112.i279.i, %B1070.i.i, %B930.i.i
  %n.5.2.i.i = phi i64 [ %n.6.3.i276.i, %B1112.i279.i ], [ %n.6.3.i276.i, %B1070.i.i ], [ %.1076.i.i, %B930.i.i ]
  %size.4.2.i.i = phi i64 [ %.1441.i.i, %B1112.i279.i ], [ %size.3.116.i.i, %B1070.i.i ], [ %size.3.116.i.i, %B930.i.i ]
  %.768.i.i = icmp ugt i32 %.715.014.i.i, 1
  br i1 %.768.i.i, label %B686.if.i.i, label %B1164.i.i

B1164.i.i:                                        ; preds = %B1162.i278.i, %B624.i.i
  %n.4.1.lcssa.i.i = phi i64 [ %n.3.0.i257.i, %B624.i.i ], [ %n.5.2.i.i, %B1162.i278.i ]
  %size.3.1.lcssa.i.i = phi i64 [ %size.2.0.i.i, %B624.i.i ], [ %size.4.2.i.i, %B1162.i278.i ]
  %.1492.i.i = icmp slt i64 %.419.i.i, %size.3.1.lcssa.i.i
  br i1 %.1492.i.i, label %B350.i.i, label %B414.endif.i

B686.if.i.i:                                      ; preds = %B1162.i278.i, %B686.if.lr.ph.i.i
  %size.3.116.i.i = phi i64 [ %size.2.0.i.i, %B686.if.lr.ph.i.i ], [ %size.4.2.i.i, %B1162.i278.i ]
  %n.4.115.i.i = phi i64 [ %n.3.0.i257.i, %B686.if.lr.ph.i.i ], [ %n.5.2.i.i, %B1162.i278.i ]
  %.715.014.i.i = phi i32 [ %.725.i267.i, %B686.if.lr.ph.i.i ], [ %.777.i.i, %B1162.i278.i ]
  %.712.013.i.i = phi i32 [ %.487.i.i, %B686.if.lr.ph.i.i ], [ %.781.i.i, %B1162.i278.i ]
  %.777.i.i = add nsw i32 %.715.014.i.i, -1
  %.781.i.i = add i32 %.712.013.i.i, 1
  %.812.i268.i = sext i32 %.712.013.i.i to i64
  %.825.i.i = icmp slt i32 %.712.013.i.i, 0
  %.826.i.i = select i1 %.825.i.i, i64 %.29.i248.i, i64 0
  %620 = getelementptr i8, ptr %.35.i.i, i64 %.826.i.i
  %.840.i.i = getelementptr i8, ptr %620, i64 %.812.i268.i
  %.841.i.i = load i8, ptr %.840.i.i, align 1, !noalias !139
  %.842.i269.i = zext i8 %.841.i.i to i64
  store i64 0, ptr %.845.i.i, align 8, !noalias !139
  %.851.i.i = call fastcc i32 @states.step(ptr %.845.i.i, ptr %excinfo.3.i244.i, ptr %.19, i64 %.375.i.i, i64 %.842.i269.i)
  %.853.not.i.i = icmp eq i32 %.851.i.i, 0
  %.861.i.i = load i64, ptr %.845.i.i, align 8, !noalias !139
  br i1 %.853.not.i.i, label %B688.endif.i.i, label %B414.if.i, !prof !4

B688.endif.i.i:                                   ; preds = %B686.if.i.i
  %.875.i271.i = icmp eq i64 %.861.i.i, -3
  br i1 %.875.i271.i, label %B414.endif.i, label %B802.i272.i

B470.i137:                                        ; preds = %B276
  store ptr null, ptr %excinfo.2.i280.i, align 8, !noalias !149
  %.25.i281.i = getelementptr i8, ptr %.19, i64 120
  %.26.i282.i = load i64, ptr %.25.i281.i, align 8, !noalias !149
  %.35.i283.i = inttoptr i64 %.26.i282.i to ptr
  %.67.i284.i = getelementptr i8, ptr %.19, i64 96
  %.68.i285.i = load i64, ptr %.67.i284.i, align 8, !noalias !149
  %.70.i286.i = getelementptr i8, ptr %.19, i64 112
  %.71.i287.i = load i64, ptr %.70.i286.i, align 8, !noalias !149
  %.77.i.i = inttoptr i64 %.68.i285.i to ptr
  %.105.i288.i = getelementptr i8, ptr %.19, i64 192
  %.106.i289.i = load i64, ptr %.105.i288.i, align 8, !noalias !149
  %.108.i290.i = getelementptr i8, ptr %.19, i64 208
  %.109.i291.i = load i64, ptr %.108.i290.i, align 8, !noalias !149
  %.115.i.i = inttoptr i64 %.106.i289.i to ptr
  %.156.i292.i = getelementptr i8, ptr %.19, i64 480
  %.157.i293.i = load i64, ptr %.156.i292.i, align 8, !noalias !149
  %.159.i.i = getelementptr i8, ptr %.19, i64 496
  %.160.i294.i = load i64, ptr %.159.i.i, align 8, !noalias !149
  %.166.i.i = inttoptr i64 %.157.i293.i to ptr
  %.194.i295.i = getelementptr i8, ptr %.19, i64 456
  %.195.i296.i = load i64, ptr %.194.i295.i, align 8, !noalias !149
  %.197.i297.i = getelementptr i8, ptr %.19, i64 472
  %.198.i298.i = load i64, ptr %.197.i297.i, align 8, !noalias !149
  %.204.i.i = inttoptr i64 %.195.i296.i to ptr
  %.232.i.i = getelementptr i8, ptr %.19, i64 720
  %.233.i299.i = load i64, ptr %.232.i.i, align 8, !noalias !149
  %.235.i.i = getelementptr i8, ptr %.19, i64 736
  %.236.i.i = load i64, ptr %.235.i.i, align 8, !noalias !149
  %.242.i.i = inttoptr i64 %.233.i299.i to ptr
  %.279.i.i = getelementptr i8, ptr %.19, i64 432
  %.280.i300.i = load i64, ptr %.279.i.i, align 8, !noalias !149
  %.282.i.i = getelementptr i8, ptr %.19, i64 448
  %.283.i.i = load i64, ptr %.282.i.i, align 8, !noalias !149
  %.289.i.i = inttoptr i64 %.280.i300.i to ptr
  %.317.i.i = getelementptr i8, ptr %.19, i64 408
  %.318.i301.i = load i64, ptr %.317.i.i, align 8, !noalias !149
  %.320.i.i = getelementptr i8, ptr %.19, i64 424
  %.321.i302.i = load i64, ptr %.320.i.i, align 8, !noalias !149
  %.327.i.i = inttoptr i64 %.318.i301.i to ptr
  store i64 %arg.y, ptr %.289.i.i, align 8, !noalias !149
  %.417.i.i = getelementptr i8, ptr %.289.i.i, i64 8
  store i64 %arg.x, ptr %.417.i.i, align 8, !noalias !149
  %.49.i.i303.i = getelementptr i8, ptr %.19, i64 440
  %.49.i1117.i.i = getelementptr i8, ptr %.19, i64 416
  br label %B466.i.i

B466.i.i:                                         ; preds = %B1270.i.i, %B470.i137
  %n.3.0.i304.i = phi i64 [ 0, %B470.i137 ], [ %n.2.1.lcssa.i.i, %B1270.i.i ]
  %size.2.0.i305.i = phi i64 [ 2, %B470.i137 ], [ %size.3.1.lcssa.i330.i, %B1270.i.i ]
  %front.2.0.i306.i = phi i64 [ 0, %B470.i137 ], [ %.502.i.i, %B1270.i.i ]
  %.461.i.i = getelementptr i64, ptr %.289.i.i, i64 %front.2.0.i306.i
  %.462.i.i = load i64, ptr %.461.i.i, align 8, !noalias !149
  %.493.i307.i = getelementptr i8, ptr %.461.i.i, i64 8
  %.494.i.i = load i64, ptr %.493.i307.i, align 8, !noalias !149
  %.502.i.i = add nuw nsw i64 %front.2.0.i306.i, 2
  %.524.i.i = icmp slt i64 %.462.i.i, -1
  %.525.i.i = select i1 %.524.i.i, i64 %.160.i294.i, i64 0
  %621 = getelementptr i32, ptr %.166.i.i, i64 %.462.i.i
  %622 = getelementptr i8, ptr %621, i64 4
  %.539.i.i = getelementptr i32, ptr %622, i64 %.525.i.i
  %.540.i308.i = load i32, ptr %.539.i.i, align 4, !noalias !149
  %.555.i.i = icmp slt i64 %.462.i.i, 0
  %.556.i.i = select i1 %.555.i.i, i64 %.160.i294.i, i64 0
  %.570.i.i = getelementptr i32, ptr %621, i64 %.556.i.i
  %.571.i309.i = load i32, ptr %.570.i.i, align 4, !noalias !149
  %.572.i.i = sext i32 %.540.i308.i to i64
  %.573.i.i = sext i32 %.571.i309.i to i64
  %.574.i310.i = sub nsw i64 %.572.i.i, %.573.i.i
  %.575.i311.i = shl nsw i64 %.574.i310.i, 1
  %.50.i.i312.i = load i64, ptr %.49.i.i303.i, align 8, !noalias !153
  %.577.i.i = add i64 %.50.i.i312.i, %size.2.0.i305.i
  %.51.i.i313.i = add i64 %.577.i.i, %.575.i311.i
  %.83.i.i314.i = load i64, ptr %.282.i.i, align 8, !noalias !153
  %.84.not.i.i315.i = icmp sgt i64 %.51.i.i313.i, %.83.i.i314.i
  br i1 %.84.not.i.i315.i, label %B470.endif.sink.split.i, label %B620.i.i

B620.i.i:                                         ; preds = %B466.i.i
  %.760.i.i = sub i32 %.540.i308.i, %.571.i309.i
  %.80413.not.i.i = icmp slt i32 %.760.i.i, 1
  br i1 %.80413.not.i.i, label %B1270.i.i, label %B684.if.i.i

B714.i.i:                                         ; preds = %B684.if.i.i
  %.912.i323.i = select i1 %.860.i318.i, i64 %.198.i298.i, i64 0
  %623 = getelementptr i8, ptr %.204.i.i, i64 %.912.i323.i
  %.926.i.i = getelementptr i8, ptr %623, i64 %.847.i317.i
  %.927.i.i = load i8, ptr %.926.i.i, align 1, !noalias !149
  %.928.i.i = zext i8 %.927.i.i to i64
  store i64 0, ptr %.931.i.i, align 8, !noalias !149
  %.937.i324.i = call fastcc i32 @states.step(ptr %.931.i.i, ptr %excinfo.2.i280.i, ptr %.19, i64 %.494.i.i, i64 %.928.i.i)
  %.939.not.i.i = icmp eq i32 %.937.i324.i, 0
  %.947.i.i = load i64, ptr %.931.i.i, align 8, !noalias !149
  br i1 %.939.not.i.i, label %B714.endif.i.i, label %B470.if.i, !prof !4

B826.i.i:                                         ; preds = %B714.endif.i.i
  %.998.i.i = icmp slt i64 %.947.i.i, 0
  br i1 %.998.i.i, label %B1285.i.i, label %B840.i.i

B840.i.i:                                         ; preds = %B826.i.i
  %.1050.i.i = load i8, ptr %.875.i320.i, align 1, !noalias !149
  %624 = and i8 %.1050.i.i, 2
  %.1053.not.i.i = icmp eq i8 %624, 0
  br i1 %.1053.not.i.i, label %B1228.i.i, label %B872.i326.i

B872.i326.i:                                      ; preds = %B840.i.i
  %.idx.i327.i = shl i64 %.947.i.i, 6
  %625 = getelementptr i8, ptr %.35.i283.i, i64 %.idx.i327.i
  %.1111.i.i = getelementptr i8, ptr %625, i64 32
  %.1112.i.i = load i64, ptr %.1111.i.i, align 8, !noalias !149
  %.1113.i.i = and i64 %.1112.i.i, 2
  %.1114.not.i.i = icmp eq i64 %.1113.i.i, 0
  br i1 %.1114.not.i.i, label %B1228.i.i, label %B918.i.i

B918.i.i:                                         ; preds = %B872.i326.i
  %.1171.i.i = getelementptr i8, ptr %625, i64 16
  %.1172.i.i = load i64, ptr %.1171.i.i, align 8, !noalias !149
  %.1281.i.i = getelementptr i8, ptr %625, i64 24
  %.1282.i.i = load i64, ptr %.1281.i.i, align 8, !noalias !149
  %spec.select6.i.i = tail call i64 @llvm.smax.i64(i64 %.1282.i.i, i64 0)
  br label %B1034.i.i

B1034.i.i:                                        ; preds = %states.meet.exit.i.i, %B918.i.i
  %.1307.0.i.i = phi i64 [ %.1172.i.i, %B918.i.i ], [ %.1379.i.i, %states.meet.exit.i.i ]
  %.1310.0.i.i = phi i64 [ %spec.select6.i.i, %B918.i.i ], [ %.1375.i.i, %states.meet.exit.i.i ]
  %.1366.i328.i = icmp sgt i64 %.1310.0.i.i, 0
  br i1 %.1366.i328.i, label %B1034.if.i.i, label %B1228.i.i

B1130.i.i:                                        ; preds = %states.meet.exit.i.i
  %.1647.i.i = add nsw i64 %n.2.116.i.i, 1
  %.50.i1118.i.i = load i64, ptr %.49.i1117.i.i, align 8, !noalias !156
  %.51.i1119.i.i = add nsw i64 %.50.i1118.i.i, %.1647.i.i
  %.83.i1121.i.i = load i64, ptr %.320.i.i, align 8, !noalias !156
  %.84.not.i1122.i.i = icmp sgt i64 %.51.i1119.i.i, %.83.i1121.i.i
  br i1 %.84.not.i1122.i.i, label %B470.endif.sink.split.i, label %B1202.i.i

B1202.i.i:                                        ; preds = %B1130.i.i
  %.1734.i.i = icmp slt i64 %n.2.116.i.i, 0
  %.1735.i.i = select i1 %.1734.i.i, i64 %.321.i302.i, i64 0
  %626 = getelementptr i32, ptr %.327.i.i, i64 %n.2.116.i.i
  %.1749.i.i = getelementptr i32, ptr %626, i64 %.1735.i.i
  store i32 %.747.015.i.i, ptr %.1749.i.i, align 4, !noalias !149
  br label %B1228.i.i

B1228.i.i:                                        ; preds = %B1034.i.i, %B1202.i.i, %B872.i326.i, %B840.i.i
  %n.5.3.i.i = phi i64 [ %.1647.i.i, %B1202.i.i ], [ %n.2.116.i.i, %B840.i.i ], [ %n.2.116.i.i, %B872.i326.i ], [ %n.2.116.i.i, %B1034.i.i ]
  %.1785.i.i = icmp slt i64 %size.3.117.i.i, 0
  %.1786.i.i = select i1 %.1785.i.i, i64 %.283.i.i, i64 0
  %627 = getelementptr i64, ptr %.289.i.i, i64 %size.3.117.i.i
  %.1800.i.i = getelementptr i64, ptr %627, i64 %.1786.i.i
  store i64 %.847.i317.i, ptr %.1800.i.i, align 8, !noalias !149
  %.1821.i.i = icmp slt i64 %size.3.117.i.i, -1
  %.1822.i.i = select i1 %.1821.i.i, i64 %.283.i.i, i64 0
  %628 = getelementptr i8, ptr %627, i64 8
  %.1836.i.i = getelementptr i64, ptr %628, i64 %.1822.i.i
  store i64 %.947.i.i, ptr %.1836.i.i, align 8, !noalias !149
  %.1841.i.i = add nsw i64 %size.3.117.i.i, 2
  br label %B1285.i.i

B1270.i.i:                                        ; preds = %B1285.i.i, %B620.i.i
  %n.2.1.lcssa.i.i = phi i64 [ %n.3.0.i304.i, %B620.i.i ], [ %n.4.2.i.i, %B1285.i.i ]
  %size.3.1.lcssa.i330.i = phi i64 [ %size.2.0.i305.i, %B620.i.i ], [ %size.4.2.i329.i, %B1285.i.i ]
  %.1869.i.i = icmp slt i64 %.502.i.i, %size.3.1.lcssa.i330.i
  br i1 %.1869.i.i, label %B466.i.i, label %B470.endif.i

B1285.i.i:                                        ; preds = %B684.if.i.i, %B1228.i.i, %B826.i.i
  %n.4.2.i.i = phi i64 [ %n.5.3.i.i, %B1228.i.i ], [ %n.2.116.i.i, %B684.if.i.i ], [ %n.2.116.i.i, %B826.i.i ]
  %size.4.2.i329.i = phi i64 [ %.1841.i.i, %B1228.i.i ], [ %size.3.117.i.i, %B684.if.i.i ], [ %size.3.117.i.i, %B826.i.i ]
  %.804.i.i = icmp sgt i32 %.750.014.i.i, 1
  br i1 %.804.i.i, label %B684.if.i.i, label %B1270.i.i

B684.if.i.i:                                      ; preds = %B620.i.i, %B1285.i.i
  %size.3.117.i.i = phi i64 [ %size.4.2.i329.i, %B1285.i.i ], [ %size.2.0.i305.i, %B620.i.i ]
  %n.2.116.i.i = phi i64 [ %n.4.2.i.i, %B1285.i.i ], [ %n.3.0.i304.i, %B620.i.i ]
  %.747.015.i.i = phi i32 [ %.817.i.i, %B1285.i.i ], [ %.571.i309.i, %B620.i.i ]
  %.750.014.i.i = phi i32 [ %.813.i316.i, %B1285.i.i ], [ %.760.i.i, %B620.i.i ]
  %.813.i316.i = add nsw i32 %.750.014.i.i, -1
  %.817.i.i = add i32 %.747.015.i.i, 1
  %.847.i317.i = sext i32 %.747.015.i.i to i64
  %.860.i318.i = icmp slt i32 %.747.015.i.i, 0
  %.861.i319.i = select i1 %.860.i318.i, i64 %.236.i.i, i64 0
  %629 = getelementptr i8, ptr %.242.i.i, i64 %.861.i319.i
  %.875.i320.i = getelementptr i8, ptr %629, i64 %.847.i317.i
  %.876.i321.i = load i8, ptr %.875.i320.i, align 1, !noalias !149
  %.878.i322.i = icmp eq i8 %.876.i321.i, 0
  br i1 %.878.i322.i, label %B1285.i.i, label %B714.i.i

B714.endif.i.i:                                   ; preds = %B714.i.i
  %.961.i.i = icmp eq i64 %.947.i.i, -3
  br i1 %.961.i.i, label %B470.endif.i, label %B826.i.i

B1034.if.i.i:                                     ; preds = %B1034.i.i
  %.1420.i.i = icmp slt i64 %.1307.0.i.i, 0
  %.1421.i.i = select i1 %.1420.i.i, i64 %.71.i287.i, i64 0
  %630 = getelementptr i64, ptr %.77.i.i, i64 %.1307.0.i.i
  %.1435.i.i = getelementptr i64, ptr %630, i64 %.1421.i.i
  %.1436.i331.i = load i64, ptr %.1435.i.i, align 8, !noalias !149
  %.1437.i.i = ashr i64 %.1436.i331.i, 32
  %.1456.i.i = icmp slt i64 %.1437.i.i, 0
  %.1457.i.i = select i1 %.1456.i.i, i64 %.109.i291.i, i64 0
  %.1458.i.i = add i64 %.1457.i.i, %.1437.i.i
  %.1475.i.i = shl i64 %.1458.i.i, 8
  %.1477.i.i = getelementptr i8, ptr %.115.i.i, i64 %.1475.i.i
  br label %B64.if.i.i.i

B64.if.i.i.i:                                     ; preds = %B64.if.i.i.i, %B1034.if.i.i
  %common.2.03.i.i332.i = phi i64 [ 0, %B1034.if.i.i ], [ %.214.i.i.i.7, %B64.if.i.i.i ]
  %.54.01.i.i.i = phi i64 [ 0, %B1034.if.i.i ], [ %.125.i.i.i.7, %B64.if.i.i.i ]
  %631 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %.179.i.i.i = load i8, ptr %631, align 1, !noalias !159
  %.212.i.i333.i = zext i8 %.179.i.i.i to i64
  %.214.i.i.i = or i64 %common.2.03.i.i332.i, %.212.i.i333.i
  %632 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %633 = getelementptr i8, ptr %632, i64 1
  %.179.i.i.i.1 = load i8, ptr %633, align 1, !noalias !159
  %.212.i.i333.i.1 = zext i8 %.179.i.i.i.1 to i64
  %.214.i.i.i.1 = or i64 %.214.i.i.i, %.212.i.i333.i.1
  %634 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %635 = getelementptr i8, ptr %634, i64 2
  %.179.i.i.i.2 = load i8, ptr %635, align 1, !noalias !159
  %.212.i.i333.i.2 = zext i8 %.179.i.i.i.2 to i64
  %.214.i.i.i.2 = or i64 %.214.i.i.i.1, %.212.i.i333.i.2
  %636 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %637 = getelementptr i8, ptr %636, i64 3
  %.179.i.i.i.3 = load i8, ptr %637, align 1, !noalias !159
  %.212.i.i333.i.3 = zext i8 %.179.i.i.i.3 to i64
  %.214.i.i.i.3 = or i64 %.214.i.i.i.2, %.212.i.i333.i.3
  %638 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %639 = getelementptr i8, ptr %638, i64 4
  %.179.i.i.i.4 = load i8, ptr %639, align 1, !noalias !159
  %.212.i.i333.i.4 = zext i8 %.179.i.i.i.4 to i64
  %.214.i.i.i.4 = or i64 %.214.i.i.i.3, %.212.i.i333.i.4
  %640 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %641 = getelementptr i8, ptr %640, i64 5
  %.179.i.i.i.5 = load i8, ptr %641, align 1, !noalias !159
  %.212.i.i333.i.5 = zext i8 %.179.i.i.i.5 to i64
  %.214.i.i.i.5 = or i64 %.214.i.i.i.4, %.212.i.i333.i.5
  %642 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %643 = getelementptr i8, ptr %642, i64 6
  %.179.i.i.i.6 = load i8, ptr %643, align 1, !noalias !159
  %.212.i.i333.i.6 = zext i8 %.179.i.i.i.6 to i64
  %.214.i.i.i.6 = or i64 %.214.i.i.i.5, %.212.i.i333.i.6
  %.125.i.i.i.7 = add nuw nsw i64 %.54.01.i.i.i, 8
  %644 = getelementptr i8, ptr %.1477.i.i, i64 %.54.01.i.i.i
  %645 = getelementptr i8, ptr %644, i64 7
  %.179.i.i.i.7 = load i8, ptr %645, align 1, !noalias !159
  %.212.i.i333.i.7 = zext i8 %.179.i.i.i.7 to i64
  %.214.i.i.i.7 = or i64 %.214.i.i.i.6, %.212.i.i333.i.7
  %exitcond.not.i.i334.i.7 = icmp eq i64 %.125.i.i.i.7, 256
  br i1 %exitcond.not.i.i334.i.7, label %states.meet.exit.i.i, label %B64.if.i.i.i

states.meet.exit.i.i:                             ; preds = %B64.if.i.i.i
  %.1375.i.i = add nsw i64 %.1310.0.i.i, -1
  %.1379.i.i = add i64 %.1307.0.i.i, 1
  %.229.i.not.i.i = icmp eq i64 %.214.i.i.i.7, 0
  br i1 %.229.i.not.i.i, label %B1130.i.i, label %B1034.i.i

B526.i:                                           ; preds = %B276
  store ptr null, ptr %excinfo.2.i336.i, align 8, !noalias !162
  %.24.i337.i = getelementptr i8, ptr %.19, i64 456
  %.25.i338.i = load i64, ptr %.24.i337.i, align 8, !noalias !162
  %.27.i339.i = getelementptr i8, ptr %.19, i64 472
  %.28.i340.i = load i64, ptr %.27.i339.i, align 8, !noalias !162
  %.34.i341.i = inttoptr i64 %.25.i338.i to ptr
  %.62.i.i = getelementptr i8, ptr %.19, i64 480
  %.63.i342.i = load i64, ptr %.62.i.i, align 8, !noalias !162
  %.65.i.i = getelementptr i8, ptr %.19, i64 496
  %.66.i343.i = load i64, ptr %.65.i.i, align 8, !noalias !162
  %.72.i344.i = inttoptr i64 %.63.i342.i to ptr
  %.100.i.i133 = getelementptr i8, ptr %.19, i64 504
  %.101.i345.i = load i64, ptr %.100.i.i133, align 8, !noalias !162
  %.103.i.i = getelementptr i8, ptr %.19, i64 520
  %.104.i346.i = load i64, ptr %.103.i.i, align 8, !noalias !162
  %.110.i347.i = inttoptr i64 %.101.i345.i to ptr
  %.147.i.i = getelementptr i8, ptr %.19, i64 432
  %.148.i348.i = load i64, ptr %.147.i.i, align 8, !noalias !162
  %.150.i.i = getelementptr i8, ptr %.19, i64 448
  %.151.i349.i = load i64, ptr %.150.i.i, align 8, !noalias !162
  %.157.i350.i = inttoptr i64 %.148.i348.i to ptr
  %.185.i.i = getelementptr i8, ptr %.19, i64 408
  %.186.i351.i = load i64, ptr %.185.i.i, align 8, !noalias !162
  %.188.i.i = getelementptr i8, ptr %.19, i64 424
  %.189.i352.i = load i64, ptr %.188.i.i, align 8, !noalias !162
  %.195.i353.i = inttoptr i64 %.186.i351.i to ptr
  store i64 0, ptr %.157.i350.i, align 8, !noalias !162
  %.285.i.i = getelementptr i8, ptr %.157.i350.i, i64 8
  store i64 %arg.x, ptr %.285.i.i, align 8, !noalias !162
  %.49.i.i354.i = getelementptr i8, ptr %.19, i64 440
  %.49.i721.i.i = getelementptr i8, ptr %.19, i64 416
  br label %B290.i.i

B290.i.i:                                         ; preds = %B886.i.i, %B526.i
  %n.5.0.i.i = phi i64 [ 0, %B526.i ], [ %n.2.1.lcssa.i371.i, %B886.i.i ]
  %front.2.0.i355.i = phi i64 [ 0, %B526.i ], [ %.374.i358.i, %B886.i.i ]
  %size.2.0.i356.i = phi i64 [ 2, %B526.i ], [ %size.3.1.lcssa.i372.i, %B886.i.i ]
  %.333.i.i = getelementptr i64, ptr %.157.i350.i, i64 %front.2.0.i355.i
  %.334.i.i = load i64, ptr %.333.i.i, align 8, !noalias !162
  %.365.i.i134 = getelementptr i8, ptr %.333.i.i, i64 8
  %.366.i357.i = load i64, ptr %.365.i.i134, align 8, !noalias !162
  %.374.i358.i = add nuw nsw i64 %front.2.0.i355.i, 2
  %.396.i.i = icmp slt i64 %.334.i.i, -1
  %.397.i.i = select i1 %.396.i.i, i64 %.66.i343.i, i64 0
  %646 = getelementptr i32, ptr %.72.i344.i, i64 %.334.i.i
  %647 = getelementptr i8, ptr %646, i64 4
  %.411.i.i = getelementptr i32, ptr %647, i64 %.397.i.i
  %.412.i.i = load i32, ptr %.411.i.i, align 4, !noalias !162
  %.427.i.i = icmp slt i64 %.334.i.i, 0
  %.428.i.i = select i1 %.427.i.i, i64 %.66.i343.i, i64 0
  %.442.i359.i = getelementptr i32, ptr %646, i64 %.428.i.i
  %.443.i.i = load i32, ptr %.442.i359.i, align 4, !noalias !162
  %.444.i360.i = sext i32 %.412.i.i to i64
  %.445.i361.i = sext i32 %.443.i.i to i64
  %.446.i.i = sub nsw i64 %.444.i360.i, %.445.i361.i
  %.447.i.i = shl nsw i64 %.446.i.i, 1
  %.50.i.i362.i = load i64, ptr %.49.i.i354.i, align 8, !noalias !166
  %.449.i363.i = add i64 %.50.i.i362.i, %size.2.0.i356.i
  %.51.i.i364.i = add i64 %.449.i363.i, %.447.i.i
  %.83.i.i365.i = load i64, ptr %.150.i.i, align 8, !noalias !166
  %.84.not.i.i366.i = icmp sgt i64 %.51.i.i364.i, %.83.i.i365.i
  br i1 %.84.not.i.i366.i, label %B526.endif.sink.split.i, label %B444.i.i

B444.i.i:                                         ; preds = %B290.i.i
  %.626.i.i = sub i32 %.412.i.i, %.443.i.i
  %.66911.not.i.i = icmp slt i32 %.626.i.i, 1
  br i1 %.66911.not.i.i, label %B886.i.i, label %B506.if.i.i

B622.i.i:                                         ; preds = %B508.endif.i.i
  %.815.i.i = icmp sgt i64 %.762.i.i, -1
  br i1 %.815.i.i, label %B634.i.i, label %B884.i.i

B634.i.i:                                         ; preds = %B622.i.i
  %.841.i373.i = select i1 %.726.i.i, i64 %.104.i346.i, i64 0
  %648 = getelementptr i32, ptr %.110.i347.i, i64 %655
  %.855.i.i = getelementptr i32, ptr %648, i64 %.841.i373.i
  %.856.i.i = load i32, ptr %.855.i.i, align 4, !noalias !162
  %.862.not.i.i = icmp eq i32 %.856.i.i, -1
  br i1 %.862.not.i.i, label %B804.i.i, label %B698.i.i

B698.i.i:                                         ; preds = %B634.i.i
  %.868.i.i = add nsw i64 %n.2.114.i.i, 2
  %.50.i722.i.i = load i64, ptr %.49.i721.i.i, align 8, !noalias !169
  %.51.i723.i.i = add nsw i64 %.50.i722.i.i, %.868.i.i
  %.83.i725.i.i = load i64, ptr %.188.i.i, align 8, !noalias !169
  %.84.not.i726.i.i = icmp sgt i64 %.51.i723.i.i, %.83.i725.i.i
  br i1 %.84.not.i726.i.i, label %B526.endif.sink.split.i, label %B766.i.i

B766.i.i:                                         ; preds = %B698.i.i
  %.951.i.i = icmp slt i64 %n.2.114.i.i, 0
  %.952.i.i = select i1 %.951.i.i, i64 %.189.i352.i, i64 0
  %649 = getelementptr i32, ptr %.195.i353.i, i64 %n.2.114.i.i
  %.966.i374.i = getelementptr i32, ptr %649, i64 %.952.i.i
  store i32 %.856.i.i, ptr %.966.i374.i, align 4, !noalias !162
  %.987.i.i = icmp slt i64 %n.2.114.i.i, -1
  %.988.i375.i = select i1 %.987.i.i, i64 %.189.i352.i, i64 0
  %650 = getelementptr i8, ptr %649, i64 4
  %.1002.i376.i = getelementptr i32, ptr %650, i64 %.988.i375.i
  %.1003.i377.i = trunc i64 %.762.i.i to i32
  store i32 %.1003.i377.i, ptr %.1002.i376.i, align 4, !noalias !162
  br label %B804.i.i

B804.i.i:                                         ; preds = %B766.i.i, %B634.i.i
  %n.4.3.i.i = phi i64 [ %.868.i.i, %B766.i.i ], [ %n.2.114.i.i, %B634.i.i ]
  %.1038.i.i = select i1 %.726.i.i, i64 %.66.i343.i, i64 0
  %651 = getelementptr i32, ptr %.72.i344.i, i64 %655
  %.1052.i.i = getelementptr i32, ptr %651, i64 %.1038.i.i
  %.1053.i.i = load i32, ptr %.1052.i.i, align 4, !noalias !162
  %.1070.i.i = icmp slt i32 %.613.012.i.i, -1
  %.1071.i.i = select i1 %.1070.i.i, i64 %.66.i343.i, i64 0
  %652 = getelementptr i8, ptr %651, i64 4
  %.1085.i.i = getelementptr i32, ptr %652, i64 %.1071.i.i
  %.1086.i.i = load i32, ptr %.1085.i.i, align 4, !noalias !162
  %.1087.i.i = icmp slt i32 %.1053.i.i, %.1086.i.i
  br i1 %.1087.i.i, label %B846.i.i, label %B884.i.i

B846.i.i:                                         ; preds = %B804.i.i
  %.1109.i378.i = icmp slt i64 %size.3.115.i.i, 0
  %.1110.i379.i = select i1 %.1109.i378.i, i64 %.151.i349.i, i64 0
  %653 = getelementptr i64, ptr %.157.i350.i, i64 %size.3.115.i.i
  %.1124.i380.i = getelementptr i64, ptr %653, i64 %.1110.i379.i
  store i64 %655, ptr %.1124.i380.i, align 8, !noalias !162
  %.1145.i.i = icmp slt i64 %size.3.115.i.i, -1
  %.1146.i.i = select i1 %.1145.i.i, i64 %.151.i349.i, i64 0
  %654 = getelementptr i8, ptr %653, i64 8
  %.1160.i.i = getelementptr i64, ptr %654, i64 %.1146.i.i
  store i64 %.762.i.i, ptr %.1160.i.i, align 8, !noalias !162
  %.1165.i.i = add nsw i64 %size.3.115.i.i, 2
  br label %B884.i.i

B884.i.i:                                         ; preds = %B846.i.i, %B804.i.i, %B622.i.i
  %n.3.2.i.i = phi i64 [ %n.4.3.i.i, %B846.i.i ], [ %n.4.3.i.i, %B804.i.i ], [ %n.2.114.i.i, %B622.i.i ]
  %size.4.2.i370.i = phi i64 [ %.1165.i.i, %B846.i.i ], [ %size.3.115.i.i, %B804.i.i ], [ %size.3.115.i.i, %B622.i.i ]
  %.669.i.i = icmp ugt i32 %.616.013.i.i, 1
  br i1 %.669.i.i, label %B506.if.i.i, label %B886.i.i

B886.i.i:                                         ; preds = %B884.i.i, %B444.i.i
  %n.2.1.lcssa.i371.i = phi i64 [ %n.5.0.i.i, %B444.i.i ], [ %n.3.2.i.i, %B884.i.i ]
  %size.3.1.lcssa.i372.i = phi i64 [ %size.2.0.i356.i, %B444.i.i ], [ %size.4.2.i370.i, %B884.i.i ]
  %.1210.i.i = icmp slt i64 %.374.i358.i, %size.3.1.lcssa.i372.i
  br i1 %.1210.i.i, label %B290.i.i, label %B526.endif.i

B506.if.i.i:                                      ; preds = %B444.i.i, %B884.i.i
  %size.3.115.i.i = phi i64 [ %size.4.2.i370.i, %B884.i.i ], [ %size.2.0.i356.i, %B444.i.i ]
  %n.2.114.i.i = phi i64 [ %n.3.2.i.i, %B884.i.i ], [ %n.5.0.i.i, %B444.i.i ]
  %.616.013.i.i = phi i32 [ %.678.i.i, %B884.i.i ], [ %.626.i.i, %B444.i.i ]
  %.613.012.i.i = phi i32 [ %.682.i.i, %B884.i.i ], [ %.443.i.i, %B444.i.i ]
  %.678.i.i = add nsw i32 %.616.013.i.i, -1
  %.682.i.i = add i32 %.613.012.i.i, 1
  %655 = sext i32 %.613.012.i.i to i64
  %.726.i.i = icmp slt i32 %.613.012.i.i, 0
  %.727.i.i = select i1 %.726.i.i, i64 %.28.i340.i, i64 0
  %656 = getelementptr i8, ptr %.34.i341.i, i64 %655
  %.741.i367.i = getelementptr i8, ptr %656, i64 %.727.i.i
  %.742.i368.i = load i8, ptr %.741.i367.i, align 1, !noalias !162
  %.743.i.i = zext i8 %.742.i368.i to i64
  store i64 0, ptr %.746.i.i, align 8, !noalias !162
  %.752.i.i135 = call fastcc i32 @states.step(ptr %.746.i.i, ptr %excinfo.2.i336.i, ptr %.19, i64 %.366.i357.i, i64 %.743.i.i)
  %.754.not.i.i = icmp eq i32 %.752.i.i135, 0
  %.762.i.i = load i64, ptr %.746.i.i, align 8, !noalias !162
  br i1 %.754.not.i.i, label %B508.endif.i.i, label %B526.if.i, !prof !4

B508.endif.i.i:                                   ; preds = %B506.if.i.i
  %.776.i.i = icmp eq i64 %.762.i.i, -3
  br i1 %.776.i.i, label %B526.endif.i, label %B622.i.i

B26.if.i:                                         ; preds = %B26.i
  %.40.i177 = load ptr, ptr %excinfo.1.i132, align 8, !noalias !18
  br label %B276.if

B26.endif.i:                                      ; preds = %B26.i
  %.49.i = load i64, ptr %.33.i, align 8, !noalias !18
  br label %B276.endif

B138.if.i:                                        ; preds = %B138.i
  %.85.i175 = load ptr, ptr %excinfo.2.i, align 8, !noalias !18
  br label %B276.if

B138.endif.i:                                     ; preds = %B138.i
  %.94.i176 = load i64, ptr %.78.i, align 8, !noalias !18
  br label %B276.endif

B250.if.i:                                        ; preds = %B3556.if.i.i, %B3118.if.i.i, %B3050.if.i.i, %B2864.if.i.i, %B1220.if.i.i, %B694.if.i.i, %B0.if.i.i
  %excinfo.3.0.i = phi ptr [ %.610.i.i, %B0.if.i.i ], [ %.742.i.i, %B694.if.i.i ], [ %.1739.i.i, %B1220.if.i.i ], [ %.5525.i.i, %B3556.if.i.i ], [ %.5014.i.i, %B3118.if.i.i ], [ %.4970.i.i, %B3050.if.i.i ], [ %.198.i.i.i.i, %B2864.if.i.i ]
  br label %B276.if

B250.endif.sink.split.i:                          ; preds = %B3556.endif.i.i, %B3242.i.i
  %.sink190.i = phi i64 [ 816, %B3242.i.i ], [ 896, %B3556.endif.i.i ]
  %.sink.i = phi i64 [ 51, %B3242.i.i ], [ 0, %B3556.endif.i.i ]
  %.122.i.i.i = getelementptr i8, ptr %.19, i64 %.sink190.i
  store i64 %.sink.i, ptr %.122.i.i.i, align 8, !noalias !22
  br label %B250.endif.i

B250.endif.i:                                     ; preds = %B694.endif.i.i, %B1278.i.i, %classes.meet_longer.exit.i.us.i, %B3693.i.i, %B3182.i.i, %B3082.i.i, %B250.endif.sink.split.i, %B2186.i.i
  %.122.0.ph.i = phi i64 [ %n.5.1.i.i, %B3693.i.i ], [ -3, %B3182.i.i ], [ -3, %B1278.i.i ], [ -3, %B250.endif.sink.split.i ], [ -1, %classes.meet_longer.exit.i.us.i ], [ -1, %B2186.i.i ], [ -3, %B3082.i.i ], [ -3, %B694.endif.i.i ]
  br label %B276.endif

B304.if.i:                                        ; preds = %B1908.if.i.i, %B1826.if.i.i, %B392.if.i.i.i, %B324.if.i.i.i
  %excinfo.4.0.i = phi ptr [ %.252.i.i.i.i, %B324.if.i.i.i ], [ %.252.i324.i.i.i, %B392.if.i.i.i ], [ %.2139.i.i, %B1908.if.i.i ], [ %.2088.i.i, %B1826.if.i.i ]
  br label %B276.if

B304.endif.sink.split.i:                          ; preds = %B1150.1.i.i, %B1150.i.i, %B1940.i.i, %B324.endif.i.i.i, %B422.i.i.i, %B422.thread16.i.i.i, %B324.endif.thread.i.i.i, %B1012.i.i, %B914.i.i
  %.16.i1628.i.i = add nsw i64 %front.4.0.i.i, 1
  store i64 %.16.i1628.i.i, ptr %.120, align 8, !noalias !73
  %.73.i1630.i.i = getelementptr i8, ptr %.19, i64 904
  store i64 %size.4.0.i.i, ptr %.73.i1630.i.i, align 8, !noalias !73
  %.102.i1631.i.i = getelementptr i8, ptr %.19, i64 912
  store i64 %n.3.0.i.i, ptr %.102.i1631.i.i, align 8, !noalias !73
  br label %B304.endif.i

B304.endif.i:                                     ; preds = %B2498.i.i, %B2396.i.i, %B304.endif.sink.split.i, %B648.i.i
  %.163.0.ph.i = phi i64 [ %.553.i.i, %B648.i.i ], [ -3, %B304.endif.sink.split.i ], [ %n.5.1.lcssa.i.i, %B2498.i.i ], [ -1, %B2396.i.i ]
  br label %B276.endif

B360.if.i:                                        ; preds = %B600.i.i
  %.1101.i.i = load ptr, ptr %excinfo.1.i231.i, align 8, !noalias !133
  br label %B276.if

B360.endif.i:                                     ; preds = %B858.i.i, %B600.endif.i.i, %B780.i.i, %B458.if.i.i, %B458.if.i.i.1, %B458.if.i.i.2, %B458.if.i.i.3
  %.207.0.ph.i = phi i64 [ 0, %B458.if.i.i ], [ -3, %B600.endif.i.i ], [ 0, %B458.if.i.i.3 ], [ 0, %B458.if.i.i.2 ], [ 0, %B458.if.i.i.1 ], [ 0, %B780.i.i ], [ 1, %B858.i.i ]
  br label %B276.endif

B414.if.i:                                        ; preds = %B686.if.i.i
  %.852.i.i = load ptr, ptr %excinfo.3.i244.i, align 8, !noalias !139
  br label %B276.if

B414.endif.i:                                     ; preds = %B1164.i.i, %B688.endif.i.i, %B610.i.i
  %.248.0.ph.i = phi i64 [ -3, %B688.endif.i.i ], [ -3, %B610.i.i ], [ %n.4.1.lcssa.i.i, %B1164.i.i ]
  br label %B276.endif

B470.if.i:                                        ; preds = %B714.i.i
  %.938.i.i = load ptr, ptr %excinfo.2.i280.i, align 8, !noalias !149
  br label %B276.if

B470.endif.sink.split.i:                          ; preds = %B466.i.i, %B1130.i.i
  %.sink191.i = phi i64 [ 51, %B1130.i.i ], [ 54, %B466.i.i ]
  %.122.i.i335.i = getelementptr i8, ptr %.19, i64 816
  store i64 %.sink191.i, ptr %.122.i.i335.i, align 8, !noalias !149
  br label %B470.endif.i

B470.endif.i:                                     ; preds = %B1270.i.i, %B714.endif.i.i, %B470.endif.sink.split.i
  %.291.0.ph.i = phi i64 [ -3, %B470.endif.sink.split.i ], [ -3, %B714.endif.i.i ], [ %n.2.1.lcssa.i.i, %B1270.i.i ]
  br label %B276.endif

B526.if.i:                                        ; preds = %B506.if.i.i
  %.753.i.i = load ptr, ptr %excinfo.2.i336.i, align 8, !noalias !162
  br label %B276.if

B526.endif.sink.split.i:                          ; preds = %B290.i.i, %B698.i.i
  %.sink192.i = phi i64 [ 51, %B698.i.i ], [ 54, %B290.i.i ]
  %.122.i.i381.i = getelementptr i8, ptr %.19, i64 816
  store i64 %.sink192.i, ptr %.122.i.i381.i, align 8, !noalias !162
  br label %B526.endif.i

B526.endif.i:                                     ; preds = %B886.i.i, %B508.endif.i.i, %B526.endif.sink.split.i
  %.335.0.ph.i = phi i64 [ -3, %B526.endif.sink.split.i ], [ -3, %B508.endif.i.i ], [ %n.2.1.lcssa.i371.i, %B886.i.i ]
  br label %B276.endif

B338:                                             ; preds = %B254
  store ptr null, ptr %excinfo.2.i181, align 8, !noalias !172
  store ptr null, ptr %excinfo.4.i182, align 8, !noalias !172
  switch i64 %arg.request, label %B482.i248 [
    i64 0, label %B26.i245
    i64 2, label %B146.i
    i64 3, label %B202.i
    i64 4, label %B256.i
    i64 5, label %B380.i
    i64 6, label %B434.i
  ]

B26.i245:                                         ; preds = %B338
  store i64 0, ptr %.35.i, align 8, !noalias !172
  call fastcc void @terms.push(ptr %.35.i, ptr nonnull %.19, i64 %arg.x, i64 0)
  %.51.i = load i64, ptr %.35.i, align 8, !noalias !172
  store i64 0, ptr %.66.i, align 8, !noalias !172
  %.72.i246 = call fastcc i32 @states.state_of(ptr %.66.i, ptr %excinfo.2.i181, ptr nonnull %.19, i64 %.51.i)
  %.74.not.i = icmp eq i32 %.72.i246, 0
  br i1 %.74.not.i, label %B26.endif.endif.i, label %B26.endif.if.i, !prof !4

B146.i:                                           ; preds = %B338
  store i64 0, ptr %.105.i, align 8, !noalias !172
  call fastcc void @terms.push(ptr %.105.i, ptr nonnull %.19, i64 %arg.x, i64 %arg.y)
  %.121.i = load i64, ptr %.105.i, align 8, !noalias !172
  br label %B338.endif

B202.i:                                           ; preds = %B338
  store i64 0, ptr %.149.i, align 8, !noalias !172
  %.155.i = call fastcc i32 @states.join(ptr %.149.i, ptr %excinfo.4.i182, ptr nonnull %.19, i64 %arg.x)
  %.157.not.i = icmp eq i32 %.155.i, 0
  br i1 %.157.not.i, label %B202.endif.i, label %B202.if.i, !prof !4

B256.i:                                           ; preds = %B338
  %.195.i = getelementptr i8, ptr %.19, i64 336
  %.196.i = load i64, ptr %.195.i, align 8, !noalias !172
  %.205.i = inttoptr i64 %.196.i to ptr
  store ptr null, ptr %excinfo.1.i.i180, align 8, !noalias !176
  %spec.select.i.i239 = tail call i64 @llvm.smax.i64(i64 %arg.y, i64 0)
  br label %B36.i.i

B36.i.i:                                          ; preds = %B38.endif.i.i, %B256.i
  %.55.0.i.i = phi i64 [ 0, %B256.i ], [ %.130.i.i244, %B38.endif.i.i ]
  %state.2.0.i.i = phi i64 [ %arg.x, %B256.i ], [ %.207.i.i, %B38.endif.i.i ]
  %exitcond.not.i = icmp eq i64 %.55.0.i.i, %spec.select.i.i239
  br i1 %exitcond.not.i, label %B256.endif.i, label %B36.if.i.i

B36.if.i.i:                                       ; preds = %B36.i.i
  %657 = getelementptr i8, ptr %.205.i, i64 %.55.0.i.i
  %.187.i.i240 = load i8, ptr %657, align 1, !noalias !176
  %.188.i.i241 = zext i8 %.187.i.i240 to i64
  store i64 0, ptr %.191.i.i, align 8, !noalias !176
  %.197.i.i242 = call fastcc i32 @states.step(ptr %.191.i.i, ptr %excinfo.1.i.i180, ptr %.19, i64 %state.2.0.i.i, i64 %.188.i.i241)
  %.199.not.i.i = icmp eq i32 %.197.i.i242, 0
  br i1 %.199.not.i.i, label %B38.endif.i.i, label %B256.if.i, !prof !4

B38.endif.i.i:                                    ; preds = %B36.if.i.i
  %.207.i.i = load i64, ptr %.191.i.i, align 8, !noalias !176
  %.130.i.i244 = add nuw i64 %.55.0.i.i, 1
  %.223.i.i = icmp slt i64 %.207.i.i, 0
  br i1 %.223.i.i, label %B256.endif.i, label %B36.i.i

B380.i:                                           ; preds = %B338
  store ptr null, ptr %excinfo.1.i165.i, align 8, !noalias !180
  %.27.i.i205 = getelementptr i8, ptr %.19, i64 120
  %.28.i.i206 = load i64, ptr %.27.i.i205, align 8, !noalias !180
  %.30.i.i207 = getelementptr i8, ptr %.19, i64 136
  %.31.i.i = load i64, ptr %.30.i.i207, align 8, !noalias !180
  %.37.i.i = inttoptr i64 %.28.i.i206 to ptr
  %.69.i.i208 = getelementptr i8, ptr %.19, i64 96
  %.70.i.i209 = load i64, ptr %.69.i.i208, align 8, !noalias !180
  %.72.i.i210 = getelementptr i8, ptr %.19, i64 112
  %.73.i.i211 = load i64, ptr %.72.i.i210, align 8, !noalias !180
  %.79.i.i212 = inttoptr i64 %.70.i.i209 to ptr
  %.107.i.i213 = getelementptr i8, ptr %.19, i64 192
  %.108.i.i214 = load i64, ptr %.107.i.i213, align 8, !noalias !180
  %.110.i.i215 = getelementptr i8, ptr %.19, i64 208
  %.111.i.i216 = load i64, ptr %.110.i.i215, align 8, !noalias !180
  %.117.i166.i = inttoptr i64 %.108.i.i214 to ptr
  %.149.i.i217 = getelementptr i8, ptr %.19, i64 408
  %.150.i.i218 = load i64, ptr %.149.i.i217, align 8, !noalias !180
  %.152.i.i219 = getelementptr i8, ptr %.19, i64 424
  %.153.i.i220 = load i64, ptr %.152.i.i219, align 8, !noalias !180
  %.159.i.i221 = inttoptr i64 %.150.i.i218 to ptr
  br i1 %.122, label %B312.i.i, label %B234.i.i222

B234.i.i222:                                      ; preds = %B380.i
  %.264.i.i = add nsw i64 %.121, -1
  %.293.i.i = getelementptr i8, ptr %.19, i64 904
  %.294.i.i = load i64, ptr %.293.i.i, align 8, !noalias !180
  store i64 0, ptr %.120, align 8, !noalias !180
  br label %B312.i.i

B312.i.i:                                         ; preds = %B234.i.i222, %B380.i
  %state.4.0.i.i = phi i64 [ %.294.i.i, %B234.i.i222 ], [ %arg.x, %B380.i ]
  %begin.2.0.i.i = phi i64 [ %.264.i.i, %B234.i.i222 ], [ 0, %B380.i ]
  %.406.i.i223 = sub i64 %.153.i.i220, %begin.2.0.i.i
  %.45228.not.i.i = icmp slt i64 %.406.i.i223, 1
  br i1 %.45228.not.i.i, label %B380.endif.i, label %B374.if.i.i

B568.i.i229:                                      ; preds = %B374.if.i.i, %B712.i.i
  %.745.0.i.i = phi i64 [ %.610.i.i228, %B374.if.i.i ], [ %.822.i.i, %B712.i.i ]
  %.748.0.i.i = phi i64 [ %spec.select7.i.i, %B374.if.i.i ], [ %.818.i.i, %B712.i.i ]
  %several.4.1.i.i = phi i1 [ %.549.i.i, %B374.if.i.i ], [ false, %B712.i.i ]
  %only.3.1.i.i = phi i64 [ -1, %B374.if.i.i ], [ %only.4.3.i.i.1, %B712.i.i ]
  %.809.i.i = icmp sgt i64 %.748.0.i.i, 0
  br i1 %.809.i.i, label %B568.if.i.i, label %B730.i.i

B656.i.i:                                         ; preds = %B606.if.i.i
  %.1106.i.i = icmp sgt i64 %only.2.226.i.i, -1
  %.1112.i.i237 = icmp ne i64 %only.2.226.i.i, %.892.023.i.i
  %spec.select.i168.i = and i1 %.1106.i.i, %.1112.i.i237
  br label %B710.i.i

B710.i.i:                                         ; preds = %B606.if.i.i, %B656.i.i
  %several.5.3.i.i = phi i1 [ %several.3.2.mux.i.i, %B606.if.i.i ], [ %spec.select.i168.i, %B656.i.i ]
  %only.4.3.i.i = phi i64 [ %only.2.2.mux.i.i, %B606.if.i.i ], [ %.892.023.i.i, %B656.i.i ]
  %wall.3.3.i.i = phi i1 [ %wall.2.2.mux.i.i, %B606.if.i.i ], [ false, %B656.i.i ]
  %.961.i.i235.1 = add nuw nsw i64 %.892.023.i.i, 2
  %658 = getelementptr i8, ptr %662, i64 %.961.i.i235
  %.1085.i.i236.1 = load i8, ptr %658, align 1, !noalias !180
  %.1086.not.i.i.1 = icmp eq i8 %.1085.i.i236.1, 0
  %brmerge.i.i.1 = select i1 %.1086.not.i.i.1, i1 true, i1 %several.5.3.i.i
  %not..1086.not.i.i.1 = xor i1 %.1086.not.i.i.1, true
  %several.3.2.mux.i.i.1 = select i1 %not..1086.not.i.i.1, i1 true, i1 %several.5.3.i.i
  %only.2.2.mux.i.i.1 = select i1 %.1086.not.i.i.1, i64 %only.4.3.i.i, i64 %.961.i.i235
  %wall.2.2.mux.i.i.1 = select i1 %.1086.not.i.i.1, i1 %wall.3.3.i.i, i1 false
  br i1 %brmerge.i.i.1, label %B710.i.i.1, label %B656.i.i.1

B656.i.i.1:                                       ; preds = %B710.i.i
  %.1106.i.i.1 = icmp sgt i64 %only.4.3.i.i, -1
  %.1112.i.i237.1 = icmp ne i64 %only.4.3.i.i, %.961.i.i235
  %spec.select.i168.i.1 = and i1 %.1106.i.i.1, %.1112.i.i237.1
  br label %B710.i.i.1

B710.i.i.1:                                       ; preds = %B656.i.i.1, %B710.i.i
  %several.5.3.i.i.1 = phi i1 [ %several.3.2.mux.i.i.1, %B710.i.i ], [ %spec.select.i168.i.1, %B656.i.i.1 ]
  %only.4.3.i.i.1 = phi i64 [ %only.2.2.mux.i.i.1, %B710.i.i ], [ %.961.i.i235, %B656.i.i.1 ]
  %wall.3.3.i.i.1 = phi i1 [ %wall.2.2.mux.i.i.1, %B710.i.i ], [ false, %B656.i.i.1 ]
  %exitcond.not.i.i238.1 = icmp eq i64 %.961.i.i235.1, 256
  br i1 %exitcond.not.i.i238.1, label %B712.i.i, label %B606.if.i.i

B712.i.i:                                         ; preds = %B710.i.i.1
  %.818.i.i = add nsw i64 %.748.0.i.i, -1
  %.822.i.i = add i64 %.745.0.i.i, 1
  %spec.select651.i.i = select i1 %several.5.3.i.i.1, i1 true, i1 %wall.3.3.i.i.1
  br i1 %spec.select651.i.i, label %B380.endif.i, label %B568.i.i229

B730.i.i:                                         ; preds = %B568.i.i229
  %.1221.i.i = icmp slt i64 %only.3.1.i.i, 0
  %or.cond.i.i230 = select i1 %several.4.1.i.i, i1 true, i1 %.1221.i.i
  br i1 %or.cond.i.i230, label %B380.endif.i, label %B754.i.i

B754.i.i:                                         ; preds = %B730.i.i
  store i64 0, ptr %.1248.i.i179, align 8, !noalias !180
  %.1254.i.i = call fastcc i32 @states.step(ptr %.1248.i.i179, ptr %excinfo.1.i165.i, ptr %.19, i64 %state.3.031.i.i, i64 %only.3.1.i.i)
  %.1256.not.i.i = icmp eq i32 %.1254.i.i, 0
  %.1264.i.i = load i64, ptr %.1248.i.i179, align 8, !noalias !180
  br i1 %.1256.not.i.i, label %B754.endif.i.i, label %B380.if.i, !prof !4

B810.i.i:                                         ; preds = %B754.endif.i.i
  store i64 %.465.i.i, ptr %.120, align 8, !noalias !184
  %.73.i.i.i231 = getelementptr i8, ptr %.19, i64 904
  store i64 %state.3.031.i.i, ptr %.73.i.i.i231, align 8, !noalias !184
  %.102.i.i.i = getelementptr i8, ptr %.19, i64 912
  store i64 0, ptr %.102.i.i.i, align 8, !noalias !184
  br label %B380.endif.i

B876.i.i:                                         ; preds = %B754.endif.i.i
  %.1347.i.i = icmp slt i64 %.393.030.i.i, 0
  %.1348.i.i = select i1 %.1347.i.i, i64 %.153.i.i220, i64 0
  %659 = getelementptr i32, ptr %.159.i.i221, i64 %.393.030.i.i
  %.1362.i.i = getelementptr i32, ptr %659, i64 %.1348.i.i
  %.1363.i.i = trunc i64 %only.3.1.i.i to i32
  store i32 %.1363.i.i, ptr %.1362.i.i, align 4, !noalias !180
  %.452.i.i = icmp sgt i64 %.396.029.i.i, 1
  br i1 %.452.i.i, label %B374.if.i.i, label %B896.loopexit.i.i

B896.loopexit.i.i:                                ; preds = %B876.i.i
  %.1419.pre.i.i = load i64, ptr %.152.i.i219, align 8, !noalias !180
  br label %B380.endif.i

B374.if.i.i:                                      ; preds = %B312.i.i, %B876.i.i
  %state.3.031.i.i = phi i64 [ %.1264.i.i, %B876.i.i ], [ %state.4.0.i.i, %B312.i.i ]
  %.393.030.i.i = phi i64 [ %.465.i.i, %B876.i.i ], [ %begin.2.0.i.i, %B312.i.i ]
  %.396.029.i.i = phi i64 [ %.461.i.i224, %B876.i.i ], [ %.406.i.i223, %B312.i.i ]
  %.461.i.i224 = add nsw i64 %.396.029.i.i, -1
  %.465.i.i = add i64 %.393.030.i.i, 1
  %.520.i.i = icmp slt i64 %state.3.031.i.i, 0
  %.521.i.i = select i1 %.520.i.i, i64 %.31.i.i, i64 0
  %.522.i.i225 = add i64 %.521.i.i, %state.3.031.i.i
  %.idx.i.i226 = shl i64 %.522.i.i225, 6
  %660 = getelementptr i8, ptr %.37.i.i, i64 %.idx.i.i226
  %.546.i.i = getelementptr i8, ptr %660, i64 32
  %.547.i.i = load i64, ptr %.546.i.i, align 8, !noalias !180
  %.548.i.i = and i64 %.547.i.i, 1
  %.549.i.i = icmp ne i64 %.548.i.i, 0
  %.609.i.i227 = getelementptr i8, ptr %660, i64 16
  %.610.i.i228 = load i64, ptr %.609.i.i227, align 8, !noalias !180
  %.719.i.i = getelementptr i8, ptr %660, i64 24
  %.720.i.i = load i64, ptr %.719.i.i, align 8, !noalias !180
  %spec.select7.i.i = tail call i64 @llvm.smax.i64(i64 %.720.i.i, i64 0)
  br label %B568.i.i229

B568.if.i.i:                                      ; preds = %B568.i.i229
  %.1017.i.i232 = icmp slt i64 %.745.0.i.i, 0
  %.1018.i.i = select i1 %.1017.i.i232, i64 %.73.i.i211, i64 0
  %661 = getelementptr i64, ptr %.79.i.i212, i64 %.745.0.i.i
  %.1032.i.i233 = getelementptr i64, ptr %661, i64 %.1018.i.i
  %.1033.i.i = load i64, ptr %.1032.i.i233, align 8, !noalias !180
  %.1034.i.i = ashr i64 %.1033.i.i, 32
  %.1058.i.i234 = icmp slt i64 %.1034.i.i, 0
  %.1059.i.i = select i1 %.1058.i.i234, i64 %.111.i.i216, i64 0
  %.1060.i.i = add i64 %.1059.i.i, %.1034.i.i
  %.1080.i.i = shl i64 %.1060.i.i, 8
  %662 = getelementptr i8, ptr %.117.i166.i, i64 %.1080.i.i
  br label %B606.if.i.i

B606.if.i.i:                                      ; preds = %B710.i.i.1, %B568.if.i.i
  %wall.2.227.i.i = phi i1 [ true, %B568.if.i.i ], [ %wall.3.3.i.i.1, %B710.i.i.1 ]
  %only.2.226.i.i = phi i64 [ %only.3.1.i.i, %B568.if.i.i ], [ %only.4.3.i.i.1, %B710.i.i.1 ]
  %several.3.225.i.i = phi i1 [ %several.4.1.i.i, %B568.if.i.i ], [ %several.5.3.i.i.1, %B710.i.i.1 ]
  %.892.023.i.i = phi i64 [ 0, %B568.if.i.i ], [ %.961.i.i235.1, %B710.i.i.1 ]
  %.961.i.i235 = or i64 %.892.023.i.i, 1
  %663 = getelementptr i8, ptr %662, i64 %.892.023.i.i
  %.1085.i.i236 = load i8, ptr %663, align 1, !noalias !180
  %.1086.not.i.i = icmp eq i8 %.1085.i.i236, 0
  %brmerge.i.i = select i1 %.1086.not.i.i, i1 true, i1 %several.3.225.i.i
  %not..1086.not.i.i = xor i1 %.1086.not.i.i, true
  %several.3.2.mux.i.i = select i1 %not..1086.not.i.i, i1 true, i1 %several.3.225.i.i
  %only.2.2.mux.i.i = select i1 %.1086.not.i.i, i64 %only.2.226.i.i, i64 %.892.023.i.i
  %wall.2.2.mux.i.i = select i1 %.1086.not.i.i, i1 %wall.2.227.i.i, i1 false
  br i1 %brmerge.i.i, label %B710.i.i, label %B656.i.i

B754.endif.i.i:                                   ; preds = %B754.i.i
  %.1278.i.i = icmp eq i64 %.1264.i.i, -3
  br i1 %.1278.i.i, label %B810.i.i, label %B876.i.i

B434.i:                                           ; preds = %B338
  %.313.i183 = ashr i64 %arg.y, 32
  %.315.i = and i64 %arg.y, 4294967295
  store ptr null, ptr %excinfo.2.i.i178, align 8, !noalias !187
  %.33.i.i184 = getelementptr i8, ptr %.19, i64 120
  %.34.i.i185 = load i64, ptr %.33.i.i184, align 8, !noalias !187
  %.36.i.i186 = getelementptr i8, ptr %.19, i64 136
  %.37.i170.i = load i64, ptr %.36.i.i186, align 8, !noalias !187
  %.43.i.i = inttoptr i64 %.34.i.i185 to ptr
  %.75.i.i = getelementptr i8, ptr %.19, i64 96
  %.76.i.i187 = load i64, ptr %.75.i.i, align 8, !noalias !187
  %.78.i.i188 = getelementptr i8, ptr %.19, i64 112
  %.79.i171.i = load i64, ptr %.78.i.i188, align 8, !noalias !187
  %.85.i.i = inttoptr i64 %.76.i.i187 to ptr
  %.113.i.i = getelementptr i8, ptr %.19, i64 192
  %.114.i.i189 = load i64, ptr %.113.i.i, align 8, !noalias !187
  %.116.i.i190 = getelementptr i8, ptr %.19, i64 208
  %.117.i172.i = load i64, ptr %.116.i.i190, align 8, !noalias !187
  %.123.i.i = inttoptr i64 %.114.i.i189 to ptr
  %.164.i.i = getelementptr i8, ptr %.19, i64 336
  %.165.i.i191 = load i64, ptr %.164.i.i, align 8, !noalias !187
  %.174.i.i192 = inttoptr i64 %.165.i.i191 to ptr
  %.202.i.i = getelementptr i8, ptr %.19, i64 216
  %.203.i.i193 = load i64, ptr %.202.i.i, align 8, !noalias !187
  %.212.i.i194 = inttoptr i64 %.203.i.i193 to ptr
  br label %B244.i.i

B244.i.i:                                         ; preds = %B662.endif.i.i, %B434.i
  %.262.0.i.i = phi i64 [ 0, %B434.i ], [ %.333.i.i195, %B662.endif.i.i ]
  %state.2.0.i173.i = phi i64 [ %arg.x, %B434.i ], [ %.977.i.i, %B662.endif.i.i ]
  %exitcond.not.i174.i = icmp eq i64 %.262.0.i.i, %.315.i
  br i1 %exitcond.not.i174.i, label %B742.i.i, label %B244.if.i.i

B478.i.i:                                         ; preds = %B436.if.i.i
  %.809.i179.i = and i64 %.719.i177.i, 4294967295
  %.814.not.i.i = icmp eq i64 %.809.i179.i, 0
  br i1 %.814.not.i.i, label %B586.i.i, label %B536.i.i

B536.i.i:                                         ; preds = %B478.i.i
  %.854.i.i = getelementptr i64, ptr %.212.i.i194, i64 %.809.i179.i
  %.855.i.i201 = load i64, ptr %.854.i.i, align 8, !noalias !187
  %.858.i.i = and i64 %.855.i.i201, 4294967295
  br label %B586.i.i

B586.i.i:                                         ; preds = %B536.i.i, %B478.i.i
  %"$phi586.5.2.3.i.i" = phi i64 [ %.858.i.i, %B536.i.i ], [ 0, %B478.i.i ]
  %.11.i.i.i = tail call i64 @llvm.smax.i64(i64 %"$phi586.5.2.3.i.i", i64 %marks.2.110.i.i)
  br label %B602.i.i

B602.i.i:                                         ; preds = %B436.if.i.i, %B586.i.i
  %marks.3.2.i.i = phi i64 [ %.11.i.i.i, %B586.i.i ], [ %marks.2.110.i.i, %B436.if.i.i ]
  %.644.i.i202 = icmp ugt i64 %.591.09.i.i, 1
  br i1 %.644.i.i202, label %B436.if.i.i, label %B604.i.i

B604.i.i:                                         ; preds = %B602.i.i, %B244.if.i.i
  %marks.2.1.lcssa.i.i = phi i64 [ -1, %B244.if.i.i ], [ %marks.3.2.i.i, %B602.i.i ]
  %.921.not.i.i = icmp eq i64 %marks.2.1.lcssa.i.i, %.313.i183
  br i1 %.921.not.i.i, label %B662.i.i204, label %B616.i.i

B616.i.i:                                         ; preds = %B604.i.i
  %.948.i.i = shl i64 %.262.0.i.i, 32
  %.950.i.i = or i64 %.948.i.i, %state.2.0.i173.i
  br label %B434.endif.i

B662.i.i204:                                      ; preds = %B604.i.i
  store i64 0, ptr %.961.i169.i, align 8, !noalias !187
  %.967.i.i = call fastcc i32 @states.step(ptr %.961.i169.i, ptr %excinfo.2.i.i178, ptr %.19, i64 %state.2.0.i173.i, i64 %.392.i.i)
  %.969.not.i.i = icmp eq i32 %.967.i.i, 0
  br i1 %.969.not.i.i, label %B662.endif.i.i, label %B434.if.i, !prof !4

B742.i.i:                                         ; preds = %B244.i.i
  %.1044.i.i = shl nuw i64 %.315.i, 32
  %.1048.i.i = or i64 %state.2.0.i173.i, %.1044.i.i
  br label %B434.endif.i

B244.if.i.i:                                      ; preds = %B244.i.i
  %.333.i.i195 = add nuw nsw i64 %.262.0.i.i, 1
  %664 = getelementptr i8, ptr %.174.i.i192, i64 %.262.0.i.i
  %.391.i.i = load i8, ptr %664, align 1, !noalias !187
  %.392.i.i = zext i8 %.391.i.i to i64
  %.426.i.i = icmp slt i64 %state.2.0.i173.i, 0
  %.427.i.i196 = select i1 %.426.i.i, i64 %.37.i170.i, i64 0
  %.428.i.i197 = add i64 %.427.i.i196, %state.2.0.i173.i
  %.idx.i175.i = shl i64 %.428.i.i197, 6
  %665 = getelementptr i8, ptr %.43.i.i, i64 %.idx.i175.i
  %.562.i.i198 = getelementptr i8, ptr %665, i64 24
  %.563.i.i = load i64, ptr %.562.i.i198, align 8, !noalias !187
  %invariant.gep.i.i = getelementptr i8, ptr %.123.i.i, i64 %.392.i.i
  %.6447.not.i.i = icmp slt i64 %.563.i.i, 1
  br i1 %.6447.not.i.i, label %B604.i.i, label %B436.if.preheader.i.i

B436.if.preheader.i.i:                            ; preds = %B244.if.i.i
  %.452.i176.i = getelementptr i8, ptr %665, i64 16
  %.453.i.i = load i64, ptr %.452.i176.i, align 8, !noalias !187
  br label %B436.if.i.i

B436.if.i.i:                                      ; preds = %B436.if.preheader.i.i, %B602.i.i
  %marks.2.110.i.i = phi i64 [ %marks.3.2.i.i, %B602.i.i ], [ -1, %B436.if.preheader.i.i ]
  %.591.09.i.i = phi i64 [ %.653.i.i, %B602.i.i ], [ %.563.i.i, %B436.if.preheader.i.i ]
  %.588.08.i.i = phi i64 [ %.657.i.i, %B602.i.i ], [ %.453.i.i, %B436.if.preheader.i.i ]
  %.653.i.i = add nsw i64 %.591.09.i.i, -1
  %.657.i.i = add i64 %.588.08.i.i, 1
  %.703.i.i = icmp slt i64 %.588.08.i.i, 0
  %.704.i.i = select i1 %.703.i.i, i64 %.79.i171.i, i64 0
  %666 = getelementptr i64, ptr %.85.i.i, i64 %.588.08.i.i
  %.718.i.i = getelementptr i64, ptr %666, i64 %.704.i.i
  %.719.i177.i = load i64, ptr %.718.i.i, align 8, !noalias !187
  %.720.i178.i = ashr i64 %.719.i177.i, 32
  %.744.i.i = icmp slt i64 %.720.i178.i, 0
  %.745.i.i = select i1 %.744.i.i, i64 %.117.i172.i, i64 0
  %.746.i.i199 = add i64 %.745.i.i, %.720.i178.i
  %.766.i.i = shl i64 %.746.i.i199, 8
  %gep.i.i = getelementptr i8, ptr %invariant.gep.i.i, i64 %.766.i.i
  %.771.i.i200 = load i8, ptr %gep.i.i, align 1, !noalias !187
  %.772.not.i.i = icmp eq i8 %.771.i.i200, 0
  br i1 %.772.not.i.i, label %B602.i.i, label %B478.i.i

B662.endif.i.i:                                   ; preds = %B662.i.i204
  %.977.i.i = load i64, ptr %.961.i169.i, align 8, !noalias !187
  %.995.i.i = icmp eq i64 %.977.i.i, -3
  br i1 %.995.i.i, label %B434.endif.i, label %B244.i.i

B482.i248:                                        ; preds = %B338
  %.16.i.i = icmp eq i64 %arg.x, 6
  br i1 %.16.i.i, label %B26.i.i, label %B464.i.i

B26.i.i:                                          ; preds = %B482.i248
  %.26.i.i262 = getelementptr i8, ptr %.19, i64 48
  %.27.i186.i = load i64, ptr %.26.i.i262, align 8, !noalias !191
  %.36.i187.i = inttoptr i64 %.27.i186.i to ptr
  %.68.i.i263 = getelementptr i8, ptr %.19, i64 72
  %.69.i188.i = load i64, ptr %.68.i.i263, align 8, !noalias !191
  %.71.i.i264 = getelementptr i8, ptr %.19, i64 88
  %.72.i189.i = load i64, ptr %.71.i.i264, align 8, !noalias !191
  %.78.i190.i = inttoptr i64 %.69.i188.i to ptr
  %.292.i.i = icmp slt i64 %.72.i189.i, 1
  br i1 %.292.i.i, label %.358.if.i.i, label %.358.endif.preheader.i.i, !prof !26

B464.i.i:                                         ; preds = %B482.i248
  %.857.i.i = getelementptr i8, ptr %.19, i64 120
  %.858.i181.i = load i64, ptr %.857.i.i, align 8, !noalias !191
  %.867.i.i = inttoptr i64 %.858.i181.i to ptr
  %.899.i.i = getelementptr i8, ptr %.19, i64 144
  %.900.i.i = load i64, ptr %.899.i.i, align 8, !noalias !191
  %.902.i.i = getelementptr i8, ptr %.19, i64 160
  %.903.i.i = load i64, ptr %.902.i.i, align 8, !noalias !191
  %.909.i.i249 = inttoptr i64 %.900.i.i to ptr
  %.937.i.i250 = getelementptr i8, ptr %.19, i64 96
  %.938.i.i251 = load i64, ptr %.937.i.i250, align 8, !noalias !191
  %.940.i.i = getelementptr i8, ptr %.19, i64 112
  %.941.i.i = load i64, ptr %.940.i.i, align 8, !noalias !191
  %.947.i.i252 = inttoptr i64 %.938.i.i251 to ptr
  %.1164.i.i = icmp slt i64 %.903.i.i, 1
  br i1 %.1164.i.i, label %.1230.if.i.i, label %.1230.endif.preheader.i.i, !prof !26

.358.endif.preheader.i.i:                         ; preds = %B26.i.i
  %667 = shl i64 %.72.i189.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %.78.i190.i, i8 0, i64 %667, i1 false), !noalias !191
  br label %.358.if.i.i

.358.if.i.i:                                      ; preds = %.358.endif.preheader.i.i, %B26.i.i
  %.434.i.i = getelementptr i8, ptr %.19, i64 56
  %.435.i.i = load i64, ptr %.434.i.i, align 8, !noalias !191
  %.472.i.i265 = add i64 %.435.i.i, -1
  %.51715.not.i.i = icmp slt i64 %.472.i.i265, 1
  br i1 %.51715.not.i.i, label %.thread303, label %B184.if.i.i

B184.if.i.i:                                      ; preds = %.358.if.i.i, %B184.if.i.i
  %.459.017.i.i = phi i64 [ %.530.i.i, %B184.if.i.i ], [ 1, %.358.if.i.i ]
  %.530.i.i = add nuw i64 %.459.017.i.i, 1
  %.608.idx.i.i = shl i64 %.459.017.i.i, 6
  %.608.i.i = getelementptr i8, ptr %.36.i187.i, i64 %.608.idx.i.i
  %.609.i191.i = load i64, ptr %.608.i.i, align 8, !noalias !191
  %.662.i.i = getelementptr i8, ptr %.608.i.i, i64 8
  %.663.i.i = load i64, ptr %.662.i.i, align 8, !noalias !191
  %.7.i.i.i = shl i64 %.609.i191.i, 32
  %.8.i.i.i = or i64 %.7.i.i.i, %.663.i.i
  %.5.i.i.i.i = lshr i64 %.8.i.i.i, 31
  %.6.i.i.i.i = xor i64 %.5.i.i.i.i, %.8.i.i.i
  %.7.i.i.i.i = mul i64 %.6.i.i.i.i, -7046029254386353131
  %.8.i.i.i.i = lshr i64 %.7.i.i.i.i, 29
  %.9.i.i.i.i = xor i64 %.8.i.i.i.i, %.7.i.i.i.i
  %.742.i.i266 = shl nsw i64 %.663.i.i, 1
  %.744.i192.i = and i64 %.9.i.i.i.i, 7
  %.745.i193.i = add nsw i64 %.744.i192.i, %.742.i.i266
  %.777.i.i267 = load i64, ptr %.71.i.i264, align 8, !noalias !191
  store i64 0, ptr %.779.i.i, align 8, !noalias !191
  call fastcc void @states.free_slot(ptr %.779.i.i, ptr %.78.i190.i, i64 %.72.i189.i, i64 %.745.i193.i, i64 %.9.i.i.i.i, i64 %.777.i.i267)
  %.795.i.i = load i64, ptr %.779.i.i, align 8, !noalias !191
  %.818.i194.i = icmp slt i64 %.795.i.i, 0
  %.819.i.i = select i1 %.818.i194.i, i64 %.72.i189.i, i64 0
  %668 = getelementptr i32, ptr %.78.i190.i, i64 %.795.i.i
  %.833.i.i = getelementptr i32, ptr %668, i64 %.819.i.i
  %.834.i.i = trunc i64 %.459.017.i.i to i32
  store i32 %.834.i.i, ptr %.833.i.i, align 4, !noalias !191
  %exitcond20.not.i.i = icmp eq i64 %.530.i.i, %.435.i.i
  br i1 %exitcond20.not.i.i, label %.thread303, label %B184.if.i.i

.1230.endif.preheader.i.i:                        ; preds = %B464.i.i
  %669 = shl i64 %.903.i.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %.909.i.i249, i8 0, i64 %669, i1 false), !noalias !191
  br label %.1230.if.i.i

.1230.if.i.i:                                     ; preds = %.1230.endif.preheader.i.i, %B464.i.i
  %.1306.i.i253 = getelementptr i8, ptr %.19, i64 128
  %.1307.i.i = load i64, ptr %.1306.i.i253, align 8, !noalias !191
  %.138710.not.i.i = icmp slt i64 %.1307.i.i, 1
  br i1 %.138710.not.i.i, label %.thread303, label %B662.if.i182.i

B662.if.i182.i:                                   ; preds = %.1230.if.i.i, %states.near_leaves.exit.i.i
  %.1331.011.i.i = phi i64 [ %.1400.i.i254, %states.near_leaves.exit.i.i ], [ 0, %.1230.if.i.i ]
  %.1400.i.i254 = add nuw nsw i64 %.1331.011.i.i, 1
  %.idx.i183.i = shl i64 %.1331.011.i.i, 6
  %670 = getelementptr i8, ptr %.867.i.i, i64 %.idx.i183.i
  %.1477.i.i255 = getelementptr i8, ptr %670, i64 16
  %.1478.i.i = load i64, ptr %.1477.i.i255, align 8, !noalias !191
  %.1531.i.i = getelementptr i8, ptr %670, i64 24
  %.1532.i.i = load i64, ptr %.1531.i.i, align 8, !noalias !191
  %.1586.i.i = getelementptr i8, ptr %670, i64 32
  %.1587.i.i = load i64, ptr %.1586.i.i, align 8, !noalias !191
  %.1588.i.i = and i64 %.1587.i.i, 1
  %.20.i.i.i = shl nsw i64 %.1532.i.i, 1
  %.21.i.i.i = or i64 %.1588.i.i, %.20.i.i.i
  %.1061.not.i.i.i = icmp slt i64 %.1532.i.i, 1
  br i1 %.1061.not.i.i.i, label %states.hash_leaves.exit.i.i, label %B76.if.i.i.i256.preheader

B76.if.i.i.i256.preheader:                        ; preds = %B662.if.i182.i
  %xtraiter = and i64 %.1532.i.i, 1
  %671 = icmp eq i64 %.1532.i.i, 1
  br i1 %671, label %B76.if.i.i.i256.epil.preheader, label %B76.if.i.i.i256.preheader.new

B76.if.i.i.i256.preheader.new:                    ; preds = %B76.if.i.i.i256.preheader
  %unroll_iter = and i64 %.1532.i.i, 9223372036854775806
  br label %B76.if.i.i.i256

B76.if.i.i.i256:                                  ; preds = %B76.if.i.i.i256, %B76.if.i.i.i256.preheader.new
  %h.2.04.i.i.i = phi i64 [ %.21.i.i.i, %B76.if.i.i.i256.preheader.new ], [ %.9.i.i582.i.i.1, %B76.if.i.i.i256 ]
  %.48.03.i.i.i = phi i64 [ 0, %B76.if.i.i.i256.preheader.new ], [ %.119.i.i.i.1, %B76.if.i.i.i256 ]
  %niter = phi i64 [ 0, %B76.if.i.i.i256.preheader.new ], [ %niter.next.1, %B76.if.i.i.i256 ]
  %.119.i.i.i = or i64 %.48.03.i.i.i, 1
  %.146.i.i.i = add nsw i64 %.48.03.i.i.i, %.1478.i.i
  %.160.i.i.i = icmp slt i64 %.146.i.i.i, 0
  %.161.i.i.i = select i1 %.160.i.i.i, i64 %.941.i.i, i64 0
  %672 = getelementptr i64, ptr %.947.i.i252, i64 %.146.i.i.i
  %.175.i.i.i = getelementptr i64, ptr %672, i64 %.161.i.i.i
  %.176.i.i.i = load i64, ptr %.175.i.i.i, align 8, !noalias !194
  %.178.i.i.i257 = xor i64 %.176.i.i.i, %h.2.04.i.i.i
  %.5.i.i578.i.i = lshr i64 %.178.i.i.i257, 31
  %.6.i.i579.i.i = xor i64 %.5.i.i578.i.i, %.178.i.i.i257
  %.7.i.i580.i.i = mul i64 %.6.i.i579.i.i, -7046029254386353131
  %.8.i.i581.i.i = lshr i64 %.7.i.i580.i.i, 29
  %.119.i.i.i.1 = add nuw nsw i64 %.48.03.i.i.i, 2
  %.146.i.i.i.1 = add nsw i64 %.119.i.i.i, %.1478.i.i
  %.160.i.i.i.1 = icmp slt i64 %.146.i.i.i.1, 0
  %.161.i.i.i.1 = select i1 %.160.i.i.i.1, i64 %.941.i.i, i64 0
  %673 = getelementptr i64, ptr %.947.i.i252, i64 %.146.i.i.i.1
  %.175.i.i.i.1 = getelementptr i64, ptr %673, i64 %.161.i.i.i.1
  %.176.i.i.i.1 = load i64, ptr %.175.i.i.i.1, align 8, !noalias !194
  %674 = xor i64 %.8.i.i581.i.i, %.176.i.i.i.1
  %.178.i.i.i257.1 = xor i64 %674, %.7.i.i580.i.i
  %.5.i.i578.i.i.1 = lshr i64 %.178.i.i.i257.1, 31
  %.6.i.i579.i.i.1 = xor i64 %.5.i.i578.i.i.1, %.178.i.i.i257.1
  %.7.i.i580.i.i.1 = mul i64 %.6.i.i579.i.i.1, -7046029254386353131
  %.8.i.i581.i.i.1 = lshr i64 %.7.i.i580.i.i.1, 29
  %.9.i.i582.i.i.1 = xor i64 %.8.i.i581.i.i.1, %.7.i.i580.i.i.1
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B8.i.i.i.loopexit.unr-lcssa, label %B76.if.i.i.i256

states.hash_leaves.exit.i.i:                      ; preds = %B662.if.i182.i
  %.22.not.i.i.i = icmp eq i64 %.1532.i.i, 0
  br i1 %.22.not.i.i.i, label %states.near_leaves.exit.i.i, label %B8.i.i.i

B8.i.i.i.loopexit.unr-lcssa:                      ; preds = %B76.if.i.i.i256
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B8.i.i.i, label %B76.if.i.i.i256.epil.preheader

B76.if.i.i.i256.epil.preheader:                   ; preds = %B8.i.i.i.loopexit.unr-lcssa, %B76.if.i.i.i256.preheader
  %h.2.04.i.i.i.epil.init = phi i64 [ %.21.i.i.i, %B76.if.i.i.i256.preheader ], [ %.9.i.i582.i.i.1, %B8.i.i.i.loopexit.unr-lcssa ]
  %.48.03.i.i.i.epil.init = phi i64 [ 0, %B76.if.i.i.i256.preheader ], [ %.119.i.i.i.1, %B8.i.i.i.loopexit.unr-lcssa ]
  %lcmp.mod821 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod821)
  %.146.i.i.i.epil = add nsw i64 %.48.03.i.i.i.epil.init, %.1478.i.i
  %.160.i.i.i.epil = icmp slt i64 %.146.i.i.i.epil, 0
  %.161.i.i.i.epil = select i1 %.160.i.i.i.epil, i64 %.941.i.i, i64 0
  %675 = getelementptr i64, ptr %.947.i.i252, i64 %.146.i.i.i.epil
  %.175.i.i.i.epil = getelementptr i64, ptr %675, i64 %.161.i.i.i.epil
  %.176.i.i.i.epil = load i64, ptr %.175.i.i.i.epil, align 8, !noalias !194
  %.178.i.i.i257.epil = xor i64 %.176.i.i.i.epil, %h.2.04.i.i.i.epil.init
  %.5.i.i578.i.i.epil = lshr i64 %.178.i.i.i257.epil, 31
  %.6.i.i579.i.i.epil = xor i64 %.5.i.i578.i.i.epil, %.178.i.i.i257.epil
  %.7.i.i580.i.i.epil = mul i64 %.6.i.i579.i.i.epil, -7046029254386353131
  %.8.i.i581.i.i.epil = lshr i64 %.7.i.i580.i.i.epil, 29
  %.9.i.i582.i.i.epil = xor i64 %.8.i.i581.i.i.epil, %.7.i.i580.i.i.epil
  br label %B8.i.i.i

B8.i.i.i:                                         ; preds = %B76.if.i.i.i256.epil.preheader, %B8.i.i.i.loopexit.unr-lcssa, %states.hash_leaves.exit.i.i
  %h.2.0.lcssa.i4.i.i = phi i64 [ %.21.i.i.i, %states.hash_leaves.exit.i.i ], [ %.9.i.i582.i.i.1, %B8.i.i.i.loopexit.unr-lcssa ], [ %.9.i.i582.i.i.epil, %B76.if.i.i.i256.epil.preheader ]
  %.38.i.i.i = icmp slt i64 %.1478.i.i, 0
  %.39.i.i.i = select i1 %.38.i.i.i, i64 %.941.i.i, i64 0
  %676 = getelementptr i64, ptr %.947.i.i252, i64 %.1478.i.i
  %.53.i.i.i = getelementptr i64, ptr %676, i64 %.39.i.i.i
  %.54.i.i.i = load i64, ptr %.53.i.i.i, align 8, !noalias !197
  %.59.i.i.i = and i64 %.54.i.i.i, 4294967295
  br label %states.near_leaves.exit.i.i

states.near_leaves.exit.i.i:                      ; preds = %B8.i.i.i, %states.hash_leaves.exit.i.i
  %h.2.0.lcssa.i5.i.i = phi i64 [ %h.2.0.lcssa.i4.i.i, %B8.i.i.i ], [ %.21.i.i.i, %states.hash_leaves.exit.i.i ]
  %"$phi58.0.2.0.i.i.i" = phi i64 [ %.59.i.i.i, %B8.i.i.i ], [ 0, %states.hash_leaves.exit.i.i ]
  %.73.i.i184.i = and i64 %h.2.0.lcssa.i5.i.i, 7
  %.77.i.i.i259 = add nuw nsw i64 %"$phi58.0.2.0.i.i.i", %.73.i.i184.i
  %.1676.i.i = load i64, ptr %.902.i.i, align 8, !noalias !191
  store i64 0, ptr %.1678.i.i, align 8, !noalias !191
  call fastcc void @states.free_slot(ptr %.1678.i.i, ptr %.909.i.i249, i64 %.903.i.i, i64 %.77.i.i.i259, i64 %h.2.0.lcssa.i5.i.i, i64 %.1676.i.i)
  %.1694.i.i260 = load i64, ptr %.1678.i.i, align 8, !noalias !191
  %.1717.i.i = icmp slt i64 %.1694.i.i260, 0
  %.1718.i.i = select i1 %.1717.i.i, i64 %.903.i.i, i64 0
  %677 = getelementptr i32, ptr %.909.i.i249, i64 %.1694.i.i260
  %.1732.i.i261 = getelementptr i32, ptr %677, i64 %.1718.i.i
  %678 = trunc i64 %.1331.011.i.i to i32
  %.1733.i.i = add i32 %678, 1
  store i32 %.1733.i.i, ptr %.1732.i.i261, align 4, !noalias !191
  %exitcond.not.i185.i = icmp eq i64 %.1307.i.i, %.1400.i.i254
  br i1 %exitcond.not.i185.i, label %.thread303, label %B662.if.i182.i

.thread303:                                       ; preds = %states.near_leaves.exit.i.i, %B184.if.i.i, %.1230.if.i.i, %.358.if.i.i
  br label %681

B26.endif.if.i:                                   ; preds = %B26.i245
  %.73.i = load ptr, ptr %excinfo.2.i181, align 8, !noalias !172
  br label %B338.if

B26.endif.endif.i:                                ; preds = %B26.i245
  %.82.i247 = load i64, ptr %.66.i, align 8, !noalias !172
  br label %B338.endif

B202.if.i:                                        ; preds = %B202.i
  %.156.i = load ptr, ptr %excinfo.4.i182, align 8, !noalias !172
  br label %B338.if

B202.endif.i:                                     ; preds = %B202.i
  %.165.i = load i64, ptr %.149.i, align 8, !noalias !172
  br label %B338.endif

B256.if.i:                                        ; preds = %B36.if.i.i
  %.198.i.i243 = load ptr, ptr %excinfo.1.i.i180, align 8, !noalias !176
  br label %B338.if

B256.endif.i:                                     ; preds = %B38.endif.i.i, %B36.i.i
  %.228.0.ph.i = phi i64 [ %.207.i.i, %B38.endif.i.i ], [ %state.2.0.i.i, %B36.i.i ]
  br label %B338.endif

B380.if.i:                                        ; preds = %B754.i.i
  %.1255.i.i = load ptr, ptr %excinfo.1.i165.i, align 8, !noalias !180
  br label %B338.if

B380.endif.i:                                     ; preds = %B730.i.i, %B712.i.i, %B896.loopexit.i.i, %B810.i.i, %B312.i.i
  %.274.0.ph.i = phi i64 [ %.153.i.i220, %B312.i.i ], [ %.1419.pre.i.i, %B896.loopexit.i.i ], [ %.393.030.i.i, %B712.i.i ], [ -3, %B810.i.i ], [ %.393.030.i.i, %B730.i.i ]
  br label %B338.endif

B434.if.i:                                        ; preds = %B662.i.i204
  %.968.i.i = load ptr, ptr %excinfo.2.i.i178, align 8, !noalias !187
  br label %B338.if

B434.endif.i:                                     ; preds = %B662.endif.i.i, %B742.i.i, %B616.i.i
  %.320.0.ph.i = phi i64 [ %.1048.i.i, %B742.i.i ], [ %.950.i.i, %B616.i.i ], [ -3, %B662.endif.i.i ]
  br label %B338.endif

B220.if:                                          ; preds = %B902.if.i, %B664.if.i, %B518.if.i, %B402.if.i, %B206.if.i, %B0.if.i
  %excinfo.1.0 = phi ptr [ %.31.i, %B0.if.i ], [ %.332.i, %B518.if.i ], [ %.268.i, %B402.if.i ], [ %excinfo.2.0.i, %B206.if.i ], [ %.644.i, %B902.if.i ], [ %.439.i, %B664.if.i ]
  store ptr %excinfo.1.0, ptr %excinfo, align 8
  br label %common.ret

B220.endif:                                       ; preds = %B740.i, %B112.i, %B0.endif.i, %B286.i, %B206.endif.thread.i, %B482.i, %B866.i, %B402.endif.i, %B1082.i, %B206.endif.i, %B518.endif.i, %B1046.i
  %.164.0.ph = phi i64 [ 1, %B1046.i ], [ 1, %B518.endif.i ], [ 1, %B206.endif.i ], [ %.186.i, %B286.i ], [ %.787.i, %B1082.i ], [ %.541.i, %B866.i ], [ 1, %B740.i ], [ 1, %B402.endif.i ], [ %.316.i, %B482.i ], [ 1, %B206.endif.thread.i ], [ 1, %B0.endif.i ], [ %.85.i, %B112.i ]
  store i64 %.164.0.ph, ptr %retptr, align 8
  br label %common.ret

B276.if:                                          ; preds = %B526.if.i, %B470.if.i, %B414.if.i, %B360.if.i, %B304.if.i, %B250.if.i, %B138.if.i, %B26.if.i
  %excinfo.2.0 = phi ptr [ %.753.i.i, %B526.if.i ], [ %excinfo.4.0.i, %B304.if.i ], [ %.40.i177, %B26.if.i ], [ %.852.i.i, %B414.if.i ], [ %.85.i175, %B138.if.i ], [ %.1101.i.i, %B360.if.i ], [ %excinfo.3.0.i, %B250.if.i ], [ %.938.i.i, %B470.if.i ]
  store ptr %excinfo.2.0, ptr %excinfo, align 8
  br label %common.ret

B276.endif:                                       ; preds = %B26.endif.i, %B138.endif.i, %B250.endif.i, %B304.endif.i, %B360.endif.i, %B414.endif.i, %B470.endif.i, %B526.endif.i
  %.209.0.ph = phi i64 [ %.49.i, %B26.endif.i ], [ %.335.0.ph.i, %B526.endif.i ], [ %.291.0.ph.i, %B470.endif.i ], [ %.248.0.ph.i, %B414.endif.i ], [ %.207.0.ph.i, %B360.endif.i ], [ %.163.0.ph.i, %B304.endif.i ], [ %.122.0.ph.i, %B250.endif.i ], [ %.94.i176, %B138.endif.i ]
  %.209.0.ph.fr = freeze i64 %.209.0.ph
  %.18.i = icmp eq i64 %.209.0.ph.fr, -3
  %spec.select = select i1 %.18.i, i64 1, i64 3
  %.11.i = shl i64 %.209.0.ph.fr, 4
  %.81.i = icmp slt i64 %.209.0.ph.fr, 0
  %spec.select309 = select i1 %.81.i, i64 %spec.select, i64 %.11.i
  br label %679

679:                                              ; preds = %B276.endif, %.thread
  %680 = phi i64 [ %spec.select309, %B276.endif ], [ 3, %.thread ]
  store i64 %680, ptr %retptr, align 8
  br label %common.ret

B338.if:                                          ; preds = %B434.if.i, %B380.if.i, %B256.if.i, %B202.if.i, %B26.endif.if.i
  %excinfo.4.0 = phi ptr [ %.156.i, %B202.if.i ], [ %.1255.i.i, %B380.if.i ], [ %.73.i, %B26.endif.if.i ], [ %.198.i.i243, %B256.if.i ], [ %.968.i.i, %B434.if.i ]
  store ptr %excinfo.4.0, ptr %excinfo, align 8
  br label %common.ret

B338.endif:                                       ; preds = %B26.endif.endif.i, %B146.i, %B202.endif.i, %B256.endif.i, %B380.endif.i, %B434.endif.i
  %.275.0.ph = phi i64 [ %.320.0.ph.i, %B434.endif.i ], [ %.274.0.ph.i, %B380.endif.i ], [ %.228.0.ph.i, %B256.endif.i ], [ %.165.i, %B202.endif.i ], [ %.121.i, %B146.i ], [ %.82.i247, %B26.endif.endif.i ]
  %.275.0.ph.fr = freeze i64 %.275.0.ph
  %.18.i268 = icmp eq i64 %.275.0.ph.fr, -3
  %spec.select308 = select i1 %.18.i268, i64 1, i64 3
  %.11.i270 = shl i64 %.275.0.ph.fr, 4
  %.81.i271 = icmp slt i64 %.275.0.ph.fr, 0
  %spec.select310 = select i1 %.81.i271, i64 %spec.select308, i64 %.11.i270
  br label %681

681:                                              ; preds = %B338.endif, %.thread303
  %682 = phi i64 [ 0, %.thread303 ], [ %spec.select310, %B338.endif ]
  store i64 %682, ptr %retptr, align 8
  br label %common.ret
}

define internal fastcc i32 @classes.loop_of(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.228 = alloca i64, align 8
  %.724 = alloca [2 x i64], align 8
  %.fca.1.gep = getelementptr inbounds i8, ptr %.724, i64 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.764 = alloca i64, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.812 = alloca i64, align 8
  %excinfo.4 = alloca ptr, align 8
  store ptr null, ptr %excinfo.4, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 120
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 136
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.90 = icmp slt i64 %arg.state, 0
  %.91 = select i1 %.90, i64 %.30, i64 0
  %.92 = add i64 %.91, %arg.state
  %.idx8 = shl i64 %.92, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx8
  %.116 = getelementptr i8, ptr %0, i64 48
  %.117 = load i64, ptr %.116, align 8
  %.118.not = icmp eq i64 %.117, -2
  br i1 %.118.not, label %B124, label %B94

common.ret:                                       ; preds = %B730.if, %B682.if, %B632.if, %B124.if, %B1386, %B792, %B94
  %common.ret.op = phi i32 [ 0, %B94 ], [ 0, %B792 ], [ 0, %B1386 ], [ 1, %B730.if ], [ 1, %B124.if ], [ 1, %B632.if ], [ 1, %B682.if ]
  ret i32 %common.ret.op

B94:                                              ; preds = %entry
  store i64 %.117, ptr %retptr, align 8
  br label %common.ret

B124:                                             ; preds = %entry
  %.192 = load i64, ptr %arg.m.4, align 8
  %.194 = getelementptr i8, ptr %arg.m.4, i64 16
  %.195 = load i64, ptr %.194, align 8
  %.201 = inttoptr i64 %.192 to ptr
  store i64 0, ptr %.228, align 8
  %.234 = call fastcc i32 @classes.term_of(ptr %.228, ptr nonnull %arg.m.4, i64 %arg.state)
  %.236.not = icmp eq i32 %.234, 0
  %.244 = load i64, ptr %.228, align 8
  br i1 %.236.not, label %B124.endif, label %B124.if, !prof !4

B346:                                             ; preds = %B124.endif
  %.276 = getelementptr i8, ptr %arg.m.4, i64 48
  %.277 = load i64, ptr %.276, align 8
  %.286 = inttoptr i64 %.277 to ptr
  %.364.idx = shl i64 %.244, 6
  %.364 = getelementptr i8, ptr %.286, i64 %.364.idx
  %.365 = load i64, ptr %.364, align 8
  %.365.fr = freeze i64 %.365
  %.411 = icmp slt i64 %.365.fr, 0
  %spec.select = select i1 %.411, i64 %.195, i64 0
  %1 = add i64 %spec.select, %.365.fr
  %2 = shl i64 %1, 3
  br label %B346.thread

B346.thread:                                      ; preds = %B346, %B124.endif
  %.413 = phi i64 [ 0, %B124.endif ], [ %2, %B346 ]
  %.437 = getelementptr i64, ptr %.201, i64 %.413
  %.438 = load i64, ptr %.437, align 8
  %.439 = icmp eq i64 %.438, 6
  br i1 %.439, label %B426, label %B632

B426:                                             ; preds = %B346.thread
  %.494 = getelementptr i8, ptr %.437, i64 16
  %.495 = load i64, ptr %.494, align 8
  %.496.not = icmp eq i64 %.495, 0
  br i1 %.496.not, label %B632, label %B456

B456:                                             ; preds = %B426
  %.551 = getelementptr i8, ptr %.437, i64 24
  %.552 = load i64, ptr %.551, align 8
  %.581 = getelementptr i8, ptr %arg.m.4, i64 856
  %.582 = load i64, ptr %.581, align 8
  %.583.not = icmp slt i64 %.552, %.582
  br i1 %.583.not, label %B632, label %B516

B516:                                             ; preds = %B456
  %.638 = getelementptr i8, ptr %0, i64 40
  %.639 = load i64, ptr %.638, align 8
  %.640 = icmp sgt i64 %.639, -1
  br i1 %.640, label %B554, label %B632

B554:                                             ; preds = %B516
  %.711 = shl i64 %.495, 3
  %.714 = add i64 %.711, -2
  br label %B1386

B632:                                             ; preds = %B516, %B456, %B426, %B346.thread
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.724, i8 0, i64 16, i1 false)
  %.730 = call fastcc i32 @classes.round_of(ptr %.724, ptr %excinfo.2, ptr nonnull %arg.m.4, i64 %arg.state)
  %.732.not = icmp eq i32 %.730, 0
  %.740.fca.0.load = load i64, ptr %.724, align 8
  %.740.fca.1.load = load i64, ptr %.fca.1.gep, align 8
  br i1 %.732.not, label %B632.endif, label %B632.if, !prof !4

B682:                                             ; preds = %B632.endif
  store i64 0, ptr %.764, align 8
  %.770 = call fastcc i32 @states.state_of(ptr %.764, ptr %excinfo.3, ptr nonnull %arg.m.4, i64 %.740.fca.1.load)
  %.772.not = icmp eq i32 %.770, 0
  br i1 %.772.not, label %B716, label %B682.if, !prof !4

B716:                                             ; preds = %B682
  %.780 = load i64, ptr %.764, align 8
  %.805 = icmp sgt i64 %.780, -1
  br i1 %.805, label %B730, label %B768

B730:                                             ; preds = %B716
  store i64 0, ptr %.812, align 8
  %.818 = call fastcc i32 @classes.others(ptr %.812, ptr %excinfo.4, ptr nonnull %arg.m.4, i64 %arg.state, i64 %.740.fca.0.load, i64 %.740.fca.1.load)
  %.820.not = icmp eq i32 %.818, 0
  br i1 %.820.not, label %B730.endif, label %B730.if, !prof !4

B768:                                             ; preds = %B632.endif, %B716, %B730.endif
  %"$phi716.0.2.07" = phi i64 [ %.780, %B730.endif ], [ %.780, %B716 ], [ %.740.fca.1.load, %B632.endif ]
  %"$phi768.0.2.0" = phi i64 [ %.828, %B730.endif ], [ %.780, %B716 ], [ %.740.fca.1.load, %B632.endif ]
  %.857 = icmp eq i64 %"$phi768.0.2.0", -3
  br i1 %.857, label %B792, label %B806

B792:                                             ; preds = %B768
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B806:                                             ; preds = %B768
  %.888 = icmp sgt i64 %"$phi768.0.2.0", -1
  br i1 %.888, label %B820, label %B1386

B820:                                             ; preds = %B806
  %.948 = load i64, ptr %.437, align 8
  %.949 = icmp eq i64 %.948, 4
  br i1 %.949, label %B880, label %B942

B880:                                             ; preds = %B820
  %.1009 = getelementptr i8, ptr %.437, i64 24
  %.1010 = load i64, ptr %.1009, align 8
  %.1011 = icmp eq i64 %.1010, -1
  br i1 %.1011, label %B944, label %B942

B942:                                             ; preds = %B880, %B820
  br label %B944

B944:                                             ; preds = %B880, %B942
  %"$phi944.2.2.0" = phi i64 [ 0, %B942 ], [ 4, %B880 ]
  %.1038 = getelementptr i8, ptr %arg.m.4, i64 192
  %.1039 = load i64, ptr %.1038, align 8
  %.1041 = getelementptr i8, ptr %arg.m.4, i64 208
  %.1042 = load i64, ptr %.1041, align 8
  %.1048 = inttoptr i64 %.1039 to ptr
  %.1080 = getelementptr i8, ptr %arg.m.4, i64 288
  %.1081 = load i64, ptr %.1080, align 8
  %.1090 = inttoptr i64 %.1081 to ptr
  %.1118 = getelementptr i8, ptr %arg.m.4, i64 312
  %.1119 = load i64, ptr %.1118, align 8
  %.1128 = inttoptr i64 %.1119 to ptr
  %.124510.not = icmp eq i64 %"$phi768.0.2.0", 0
  br i1 %.124510.not, label %B1344, label %B1116.if.lr.ph

B1116.if.lr.ph:                                   ; preds = %B944
  %.1415 = icmp slt i64 %.740.fca.0.load, 0
  %.1416 = select i1 %.1415, i64 %.195, i64 0
  %.1417 = add i64 %.1416, %.740.fca.0.load
  %.idx = shl i64 %.1417, 6
  %3 = getelementptr i8, ptr %.201, i64 %.idx
  %.1441 = getelementptr i8, ptr %3, i64 56
  %.1442 = load i64, ptr %.1441, align 8
  %.1443 = and i64 %.1442, 1
  %.55.i = getelementptr i8, ptr %.1128, i64 92
  %.56.i = load i8, ptr %.55.i, align 1, !noalias !200
  br label %B1116.if

B1220:                                            ; preds = %classes.meet_longer.exit
  %.1495 = and i64 %loop.6.013, 4
  %.1498 = or i64 %.1495, 2
  br label %B1344

B1344:                                            ; preds = %middle.block, %B944, %B1220
  %loop.7.1 = phi i64 [ %.1498, %B1220 ], [ %"$phi944.2.2.0", %B944 ], [ %.1561, %middle.block ]
  %.1615 = icmp slt i64 %.740.fca.0.load, 0
  %.1616 = select i1 %.1615, i64 %.195, i64 0
  %.1617 = add i64 %.1616, %.740.fca.0.load
  %.idx892 = shl i64 %.1617, 6
  %4 = getelementptr i8, ptr %.201, i64 %.idx892
  %.1641 = getelementptr i8, ptr %4, i64 56
  %.1642 = load i64, ptr %.1641, align 8
  %.1645 = shl nsw i64 %.1642, 3
  %.1647 = add nsw i64 %.1645, %loop.7.1
  br label %B1386

B1386:                                            ; preds = %B1344, %B806, %B554
  %chain.2.0 = phi i64 [ -1, %B554 ], [ %"$phi716.0.2.07", %B1344 ], [ %"$phi716.0.2.07", %B806 ]
  %loop.8.0 = phi i64 [ %.714, %B554 ], [ %.1647, %B1344 ], [ -1, %B806 ]
  store i64 %loop.8.0, ptr %.116, align 8
  %.1777 = getelementptr i8, ptr %0, i64 56
  store i64 %chain.2.0, ptr %.1777, align 8
  store i64 %loop.8.0, ptr %retptr, align 8
  br label %common.ret

B124.if:                                          ; preds = %B124
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B124.endif:                                       ; preds = %B124
  %.266 = icmp sgt i64 %.244, -1
  br i1 %.266, label %B346, label %B346.thread

B632.if:                                          ; preds = %B632
  %.731 = load ptr, ptr %excinfo.2, align 8
  store ptr %.731, ptr %excinfo, align 8
  br label %common.ret

B632.endif:                                       ; preds = %B632
  %.759 = icmp sgt i64 %.740.fca.1.load, -1
  br i1 %.759, label %B682, label %B768

B682.if:                                          ; preds = %B682
  %.771 = load ptr, ptr %excinfo.3, align 8
  store ptr %.771, ptr %excinfo, align 8
  br label %common.ret

B730.if:                                          ; preds = %B730
  %.819 = load ptr, ptr %excinfo.4, align 8
  store ptr %.819, ptr %excinfo, align 8
  br label %common.ret

B730.endif:                                       ; preds = %B730
  %.828 = load i64, ptr %.812, align 8
  br label %B768

B1116.if:                                         ; preds = %B1116.if.lr.ph, %middle.block
  %loop.6.013 = phi i64 [ %"$phi944.2.2.0", %B1116.if.lr.ph ], [ %.1561, %middle.block ]
  %.1185.012 = phi i64 [ 0, %B1116.if.lr.ph ], [ %.1258, %middle.block ]
  %.1188.011 = phi i64 [ %"$phi768.0.2.0", %B1116.if.lr.ph ], [ %.1254, %middle.block ]
  %5 = getelementptr i64, ptr %.1090, i64 %.1185.012
  %.1314 = load i64, ptr %5, align 8
  %.1315 = ashr i64 %.1314, 32
  %.1334 = icmp slt i64 %.1315, 0
  %.1335 = select i1 %.1334, i64 %.1042, i64 0
  %.1336 = add i64 %.1335, %.1315
  %.1353 = shl i64 %.1336, 8
  %.1355 = getelementptr i8, ptr %.1048, i64 %.1353
  %.85.i = getelementptr i8, ptr %.1355, i64 92
  %.86.i = load i8, ptr %.85.i, align 1, !noalias !200
  %.89104.i = and i8 %.86.i, %.56.i
  %.89.i = zext i8 %.89104.i to i64
  %.94.i = and i64 %.1443, %.89.i
  %6 = insertelement <2 x i64> <i64 poison, i64 0>, i64 %.94.i, i64 0
  br label %vector.body7

vector.body7:                                     ; preds = %vector.body7, %B1116.if
  %index8 = phi i64 [ 0, %B1116.if ], [ %index.next15.1, %vector.body7 ]
  %vec.phi9 = phi <2 x i64> [ %6, %B1116.if ], [ %25, %vector.body7 ]
  %vec.phi10 = phi <2 x i64> [ zeroinitializer, %B1116.if ], [ %26, %vector.body7 ]
  %offset.idx = add nuw nsw i64 %index8, 128
  %7 = getelementptr i8, ptr %.1128, i64 %offset.idx
  %8 = getelementptr i8, ptr %7, i64 2
  %wide.load11 = load <2 x i8>, ptr %7, align 1, !noalias !200
  %wide.load12 = load <2 x i8>, ptr %8, align 1, !noalias !200
  %9 = getelementptr i8, ptr %.1355, i64 %offset.idx
  %10 = getelementptr i8, ptr %9, i64 2
  %wide.load13 = load <2 x i8>, ptr %9, align 1, !noalias !200
  %wide.load14 = load <2 x i8>, ptr %10, align 1, !noalias !200
  %11 = and <2 x i8> %wide.load13, %wide.load11
  %12 = and <2 x i8> %wide.load14, %wide.load12
  %13 = zext <2 x i8> %11 to <2 x i64>
  %14 = zext <2 x i8> %12 to <2 x i64>
  %15 = or <2 x i64> %vec.phi9, %13
  %16 = or <2 x i64> %vec.phi10, %14
  %offset.idx.1 = add nuw nsw i64 %index8, 132
  %17 = getelementptr i8, ptr %.1128, i64 %offset.idx.1
  %18 = getelementptr i8, ptr %17, i64 2
  %wide.load11.1 = load <2 x i8>, ptr %17, align 1, !noalias !200
  %wide.load12.1 = load <2 x i8>, ptr %18, align 1, !noalias !200
  %19 = getelementptr i8, ptr %.1355, i64 %offset.idx.1
  %20 = getelementptr i8, ptr %19, i64 2
  %wide.load13.1 = load <2 x i8>, ptr %19, align 1, !noalias !200
  %wide.load14.1 = load <2 x i8>, ptr %20, align 1, !noalias !200
  %21 = and <2 x i8> %wide.load13.1, %wide.load11.1
  %22 = and <2 x i8> %wide.load14.1, %wide.load12.1
  %23 = zext <2 x i8> %21 to <2 x i64>
  %24 = zext <2 x i8> %22 to <2 x i64>
  %25 = or <2 x i64> %15, %23
  %26 = or <2 x i64> %16, %24
  %index.next15.1 = add nuw nsw i64 %index8, 8
  %27 = icmp eq i64 %index.next15.1, 128
  br i1 %27, label %classes.meet_longer.exit, label %vector.body7, !llvm.loop !203

classes.meet_longer.exit:                         ; preds = %vector.body7
  %bin.rdx17 = or <2 x i64> %26, %25
  %28 = tail call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %bin.rdx17)
  %.1254 = add nsw i64 %.1188.011, -1
  %.1258 = add nuw nsw i64 %.1185.012, 1
  %.296.i.not = icmp eq i64 %28, 0
  br i1 %.296.i.not, label %vector.body, label %B1220

vector.body:                                      ; preds = %classes.meet_longer.exit, %vector.body
  %index = phi i64 [ %index.next.1, %vector.body ], [ 0, %classes.meet_longer.exit ]
  %vec.phi = phi <2 x i64> [ %47, %vector.body ], [ zeroinitializer, %classes.meet_longer.exit ]
  %vec.phi2 = phi <2 x i64> [ %48, %vector.body ], [ zeroinitializer, %classes.meet_longer.exit ]
  %29 = getelementptr i8, ptr %.1128, i64 %index
  %30 = getelementptr i8, ptr %29, i64 2
  %wide.load = load <2 x i8>, ptr %29, align 1, !noalias !204
  %wide.load3 = load <2 x i8>, ptr %30, align 1, !noalias !204
  %31 = getelementptr i8, ptr %.1355, i64 %index
  %32 = getelementptr i8, ptr %31, i64 2
  %wide.load4 = load <2 x i8>, ptr %31, align 1, !noalias !204
  %wide.load5 = load <2 x i8>, ptr %32, align 1, !noalias !204
  %33 = and <2 x i8> %wide.load4, %wide.load
  %34 = and <2 x i8> %wide.load5, %wide.load3
  %35 = zext <2 x i8> %33 to <2 x i64>
  %36 = zext <2 x i8> %34 to <2 x i64>
  %37 = or <2 x i64> %vec.phi, %35
  %38 = or <2 x i64> %vec.phi2, %36
  %index.next = or i64 %index, 4
  %39 = getelementptr i8, ptr %.1128, i64 %index.next
  %40 = getelementptr i8, ptr %39, i64 2
  %wide.load.1 = load <2 x i8>, ptr %39, align 1, !noalias !204
  %wide.load3.1 = load <2 x i8>, ptr %40, align 1, !noalias !204
  %41 = getelementptr i8, ptr %.1355, i64 %index.next
  %42 = getelementptr i8, ptr %41, i64 2
  %wide.load4.1 = load <2 x i8>, ptr %41, align 1, !noalias !204
  %wide.load5.1 = load <2 x i8>, ptr %42, align 1, !noalias !204
  %43 = and <2 x i8> %wide.load4.1, %wide.load.1
  %44 = and <2 x i8> %wide.load5.1, %wide.load3.1
  %45 = zext <2 x i8> %43 to <2 x i64>
  %46 = zext <2 x i8> %44 to <2 x i64>
  %47 = or <2 x i64> %37, %45
  %48 = or <2 x i64> %38, %46
  %index.next.1 = add nuw nsw i64 %index, 8
  %49 = icmp eq i64 %index.next.1, 256
  br i1 %49, label %middle.block, label %vector.body, !llvm.loop !207

middle.block:                                     ; preds = %vector.body
  %bin.rdx = or <2 x i64> %48, %47
  %50 = tail call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %bin.rdx)
  %.229.i.not = icmp eq i64 %50, 0
  %"$phi1336.2.2.1" = select i1 %.229.i.not, i64 1, i64 3
  %.1561 = or i64 %"$phi1336.2.2.1", %loop.6.013
  %.1245 = icmp ugt i64 %.1188.011, 1
  br i1 %.1245, label %B1116.if, label %B1344
}

define internal fastcc i32 @classes.near_state(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.69 = alloca i64, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.110 = alloca i64, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.24.i = getelementptr i8, ptr %arg.m.4, i64 120
  %.25.i = load i64, ptr %.24.i, align 8, !noalias !208
  %.27.i = getelementptr i8, ptr %arg.m.4, i64 136
  %.28.i = load i64, ptr %.27.i, align 8, !noalias !208
  %.34.i = inttoptr i64 %.25.i to ptr
  %.66.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.67.i = load i64, ptr %.66.i, align 8, !noalias !208
  %.69.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.70.i = load i64, ptr %.69.i, align 8, !noalias !208
  %.76.i = inttoptr i64 %.67.i to ptr
  %.104.i = getelementptr i8, ptr %arg.m.4, i64 192
  %.105.i = load i64, ptr %.104.i, align 8, !noalias !208
  %.107.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.108.i = load i64, ptr %.107.i, align 8, !noalias !208
  %.114.i = inttoptr i64 %.105.i to ptr
  %.176.i = icmp slt i64 %arg.state, 0
  %.177.i = select i1 %.176.i, i64 %.28.i, i64 0
  %.178.i = add i64 %.177.i, %arg.state
  %.idx.i = shl i64 %.178.i, 6
  %0 = getelementptr i8, ptr %.34.i, i64 %.idx.i
  %.308.i = getelementptr i8, ptr %0, i64 24
  %.309.i = load i64, ptr %.308.i, align 8, !noalias !208
  %.3926.not.i = icmp slt i64 %.309.i, 1
  br i1 %.3926.not.i, label %B48, label %B322.if.lr.ph.i

B322.if.lr.ph.i:                                  ; preds = %entry
  %.202.i = getelementptr i8, ptr %0, i64 16
  %.203.i = load i64, ptr %.202.i, align 8, !noalias !208
  %.35.i.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.74.i.i = getelementptr i8, ptr %arg.m.4, i64 48
  br label %B322.if.i

B448.i:                                           ; preds = %B420.if.i
  %.401.i = add nsw i64 %.337.07.i, -1
  %.405.i = add i64 %.334.08.i, 1
  %.708.i = icmp sgt i64 %.688.i.7, %widest.2.09.i
  br i1 %.708.i, label %B460.i, label %B530.i

B460.i:                                           ; preds = %B448.i
  %.752.i = and i64 %.463.i, 4294967295
  %.19.not.i.i = icmp eq i64 %.752.i, 0
  br i1 %.19.not.i.i, label %B510.i, label %leaves.is_split.exit.i

leaves.is_split.exit.i:                           ; preds = %B460.i
  %.33.i.i = load i64, ptr %arg.m.4, align 8, !noalias !211
  %.36.i.i = load i64, ptr %.35.i.i, align 8, !noalias !211
  %.42.i.i = inttoptr i64 %.33.i.i to ptr
  %.75.i.i = load i64, ptr %.74.i.i, align 8, !noalias !211
  %.84.i.i = inttoptr i64 %.75.i.i to ptr
  %.164.idx.i.i = shl nuw nsw i64 %.752.i, 6
  %.164.i.i = getelementptr i8, ptr %.84.i.i, i64 %.164.idx.i.i
  %.165.i.i = load i64, ptr %.164.i.i, align 8, !noalias !211
  %.191.i.i = icmp slt i64 %.165.i.i, 0
  %.192.i.i = select i1 %.191.i.i, i64 %.36.i.i, i64 0
  %.193.i.i = add i64 %.192.i.i, %.165.i.i
  %.217.idx.i.i = shl i64 %.193.i.i, 6
  %.217.i.i = getelementptr i8, ptr %.42.i.i, i64 %.217.idx.i.i
  %.218.i.i = load i64, ptr %.217.i.i, align 8, !noalias !211
  %.219.i.not.i = icmp eq i64 %.218.i.i, 11
  br i1 %.219.i.not.i, label %B530.i, label %B510.i

B510.i:                                           ; preds = %leaves.is_split.exit.i, %B460.i
  br label %B530.i

B530.i:                                           ; preds = %B510.i, %leaves.is_split.exit.i, %B448.i
  %best.3.1.i = phi i64 [ %best.2.010.i, %leaves.is_split.exit.i ], [ %.463.i, %B510.i ], [ %best.2.010.i, %B448.i ]
  %widest.3.1.i = phi i64 [ %widest.2.09.i, %leaves.is_split.exit.i ], [ %.688.i.7, %B510.i ], [ %widest.2.09.i, %B448.i ]
  %.392.i = icmp ugt i64 %.337.07.i, 1
  br i1 %.392.i, label %B322.if.i, label %classes.widest_leaf.exit

B322.if.i:                                        ; preds = %B530.i, %B322.if.lr.ph.i
  %best.2.010.i = phi i64 [ -1, %B322.if.lr.ph.i ], [ %best.3.1.i, %B530.i ]
  %widest.2.09.i = phi i64 [ 47, %B322.if.lr.ph.i ], [ %widest.3.1.i, %B530.i ]
  %.334.08.i = phi i64 [ %.203.i, %B322.if.lr.ph.i ], [ %.405.i, %B530.i ]
  %.337.07.i = phi i64 [ %.309.i, %B322.if.lr.ph.i ], [ %.401.i, %B530.i ]
  %.447.i = icmp slt i64 %.334.08.i, 0
  %.448.i = select i1 %.447.i, i64 %.70.i, i64 0
  %1 = getelementptr i64, ptr %.76.i, i64 %.334.08.i
  %.462.i = getelementptr i64, ptr %1, i64 %.448.i
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !208
  %.464.i = ashr i64 %.463.i, 32
  %.483.i = icmp slt i64 %.464.i, 0
  %.484.i = select i1 %.483.i, i64 %.108.i, i64 0
  %.485.i = add i64 %.484.i, %.464.i
  %.502.i = shl i64 %.485.i, 8
  %.504.i = getelementptr i8, ptr %.114.i, i64 %.502.i
  br label %B420.if.i

B420.if.i:                                        ; preds = %B420.if.i, %B322.if.i
  %width.2.15.i = phi i64 [ 0, %B322.if.i ], [ %.688.i.7, %B420.if.i ]
  %.562.03.i = phi i64 [ 0, %B322.if.i ], [ %.631.i.7, %B420.if.i ]
  %2 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %.685.i = load i8, ptr %2, align 1, !noalias !208
  %.687.i = zext i8 %.685.i to i64
  %.688.i = add nuw nsw i64 %width.2.15.i, %.687.i
  %3 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %4 = getelementptr i8, ptr %3, i64 1
  %.685.i.1 = load i8, ptr %4, align 1, !noalias !208
  %.687.i.1 = zext i8 %.685.i.1 to i64
  %.688.i.1 = add nuw nsw i64 %.688.i, %.687.i.1
  %5 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %6 = getelementptr i8, ptr %5, i64 2
  %.685.i.2 = load i8, ptr %6, align 1, !noalias !208
  %.687.i.2 = zext i8 %.685.i.2 to i64
  %.688.i.2 = add nuw nsw i64 %.688.i.1, %.687.i.2
  %7 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %8 = getelementptr i8, ptr %7, i64 3
  %.685.i.3 = load i8, ptr %8, align 1, !noalias !208
  %.687.i.3 = zext i8 %.685.i.3 to i64
  %.688.i.3 = add nuw nsw i64 %.688.i.2, %.687.i.3
  %9 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %10 = getelementptr i8, ptr %9, i64 4
  %.685.i.4 = load i8, ptr %10, align 1, !noalias !208
  %.687.i.4 = zext i8 %.685.i.4 to i64
  %.688.i.4 = add nuw nsw i64 %.688.i.3, %.687.i.4
  %11 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %12 = getelementptr i8, ptr %11, i64 5
  %.685.i.5 = load i8, ptr %12, align 1, !noalias !208
  %.687.i.5 = zext i8 %.685.i.5 to i64
  %.688.i.5 = add nuw nsw i64 %.688.i.4, %.687.i.5
  %13 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %14 = getelementptr i8, ptr %13, i64 6
  %.685.i.6 = load i8, ptr %14, align 1, !noalias !208
  %.687.i.6 = zext i8 %.685.i.6 to i64
  %.688.i.6 = add nuw nsw i64 %.688.i.5, %.687.i.6
  %.631.i.7 = add nuw nsw i64 %.562.03.i, 8
  %15 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %16 = getelementptr i8, ptr %15, i64 7
  %.685.i.7 = load i8, ptr %16, align 1, !noalias !208
  %.687.i.7 = zext i8 %.685.i.7 to i64
  %.688.i.7 = add nuw nsw i64 %.688.i.6, %.687.i.7
  %exitcond.not.i.7 = icmp eq i64 %.631.i.7, 256
  br i1 %exitcond.not.i.7, label %B448.i, label %B420.if.i

classes.widest_leaf.exit:                         ; preds = %B530.i
  %.53 = icmp slt i64 %best.3.1.i, 0
  br i1 %.53, label %B48, label %B78

common.ret:                                       ; preds = %B152.if, %B78.if, %B220, %B206, %B48
  %common.ret.op = phi i32 [ 0, %B48 ], [ 0, %B206 ], [ 0, %B220 ], [ 1, %B78.if ], [ 1, %B152.if ]
  ret i32 %common.ret.op

B48:                                              ; preds = %entry, %classes.widest_leaf.exit
  store i64 -1, ptr %retptr, align 8
  br label %common.ret

B78:                                              ; preds = %classes.widest_leaf.exit
  %.65 = and i64 %best.3.1.i, 4294967295
  store i64 0, ptr %.69, align 8
  %.75 = call fastcc i32 @states.state_of(ptr %.69, ptr %excinfo.2, ptr %arg.m.4, i64 %.65)
  %.77.not = icmp eq i32 %.75, 0
  %.85 = load i64, ptr %.69, align 8
  br i1 %.77.not, label %B78.endif, label %B78.if, !prof !4

B152:                                             ; preds = %B78.endif
  store i64 0, ptr %.110, align 8
  %.116 = call fastcc i32 @classes.loop_of(ptr %.110, ptr %excinfo.3, ptr %arg.m.4, i64 %.85)
  %.118.not = icmp eq i32 %.116, 0
  br i1 %.118.not, label %B182, label %B152.if, !prof !4

B182:                                             ; preds = %B152
  %.126 = load i64, ptr %.110, align 8
  %.148 = icmp eq i64 %.126, -3
  br i1 %.148, label %B206, label %B220

B206:                                             ; preds = %B78.endif, %B182
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B220:                                             ; preds = %B182
  %17 = and i64 %.126, -9223372036854775804
  %or.cond = icmp ne i64 %17, 4
  %.169.not = icmp eq i64 %.85, %arg.state
  %or.cond72 = select i1 %or.cond, i1 true, i1 %.169.not
  %"$phi296.0.2.0" = select i1 %or.cond72, i64 -1, i64 %.85
  store i64 %"$phi296.0.2.0", ptr %retptr, align 8
  br label %common.ret

B78.if:                                           ; preds = %B78
  %.76 = load ptr, ptr %excinfo.2, align 8
  store ptr %.76, ptr %excinfo, align 8
  br label %common.ret

B78.endif:                                        ; preds = %B78
  %.99 = icmp eq i64 %.85, -3
  br i1 %.99, label %B206, label %B152

B152.if:                                          ; preds = %B152
  %.117 = load ptr, ptr %excinfo.3, align 8
  store ptr %.117, ptr %excinfo, align 8
  br label %common.ret
}

define internal fastcc i32 @tokens.below(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.root, i64 %arg.state, i64 %arg.n, i64 %arg.sifted) unnamed_addr {
entry:
  %.1328 = alloca i64, align 8
  %.2220 = alloca i64, align 8
  %excinfo.9 = alloca ptr, align 8
  store ptr null, ptr %excinfo.9, align 8
  %.35 = getelementptr i8, ptr %arg.m.4, i64 120
  %.36 = load i64, ptr %.35, align 8
  %.38 = getelementptr i8, ptr %arg.m.4, i64 136
  %.39 = load i64, ptr %.38, align 8
  %.45 = inttoptr i64 %.36 to ptr
  %.77 = getelementptr i8, ptr %arg.m.4, i64 168
  %.78 = load i64, ptr %.77, align 8
  %.80 = getelementptr i8, ptr %arg.m.4, i64 184
  %.81 = load i64, ptr %.80, align 8
  %.87 = inttoptr i64 %.78 to ptr
  %.119 = getelementptr i8, ptr %arg.m.4, i64 192
  %.120 = load i64, ptr %.119, align 8
  %.122 = getelementptr i8, ptr %arg.m.4, i64 208
  %.123 = load i64, ptr %.122, align 8
  %.129 = inttoptr i64 %.120 to ptr
  %.170 = getelementptr i8, ptr %arg.m.4, i64 456
  %.171 = load i64, ptr %.170, align 8
  %.173 = getelementptr i8, ptr %arg.m.4, i64 472
  %.174 = load i64, ptr %.173, align 8
  %.180 = inttoptr i64 %.171 to ptr
  %.208 = getelementptr i8, ptr %arg.m.4, i64 480
  %.209 = load i64, ptr %.208, align 8
  %.211 = getelementptr i8, ptr %arg.m.4, i64 496
  %.212 = load i64, ptr %.211, align 8
  %.218 = inttoptr i64 %.209 to ptr
  %.246 = getelementptr i8, ptr %arg.m.4, i64 504
  %.247 = load i64, ptr %.246, align 8
  %.249 = getelementptr i8, ptr %arg.m.4, i64 520
  %.250 = load i64, ptr %.249, align 8
  %.256 = inttoptr i64 %.247 to ptr
  %.293 = getelementptr i8, ptr %arg.m.4, i64 432
  %.294 = load i64, ptr %.293, align 8
  %.296 = getelementptr i8, ptr %arg.m.4, i64 448
  %.297 = load i64, ptr %.296, align 8
  %.303 = inttoptr i64 %.294 to ptr
  %.331 = getelementptr i8, ptr %arg.m.4, i64 408
  %.332 = load i64, ptr %.331, align 8
  %.334 = getelementptr i8, ptr %arg.m.4, i64 424
  %.335 = load i64, ptr %.334, align 8
  %.341 = inttoptr i64 %.332 to ptr
  %.369 = getelementptr i8, ptr %arg.m.4, i64 720
  %.370 = load i64, ptr %.369, align 8
  %.372 = getelementptr i8, ptr %arg.m.4, i64 736
  %.373 = load i64, ptr %.372, align 8
  %.379 = inttoptr i64 %.370 to ptr
  %.436 = getelementptr i8, ptr %arg.m.4, i64 880
  %.437 = load i64, ptr %.436, align 8
  %.475 = getelementptr i8, ptr %arg.m.4, i64 896
  %.476 = load i64, ptr %.475, align 8
  %.477.not = icmp eq i64 %.476, 0
  br i1 %.477.not, label %B622.preheader.thread, label %B622.preheader

B622.preheader.thread:                            ; preds = %entry
  store i64 %arg.root, ptr %.303, align 8
  %.697 = getelementptr i8, ptr %.303, i64 8
  store i64 %arg.state, ptr %.697, align 8
  br label %B636.preheader.lr.ph

B622.preheader:                                   ; preds = %entry
  %.519 = add nsw i64 %.476, -1
  %.548 = getelementptr i8, ptr %arg.m.4, i64 904
  %.549 = load i64, ptr %.548, align 8
  %.578 = getelementptr i8, ptr %arg.m.4, i64 912
  %.579 = load i64, ptr %.578, align 8
  store i64 0, ptr %.475, align 8
  %.72257.not = icmp sgt i64 %.476, %.549
  br i1 %.72257.not, label %B2126, label %B636.preheader.lr.ph

B636.preheader.lr.ph:                             ; preds = %B622.preheader.thread, %B622.preheader
  %front.4.0.ph87 = phi i64 [ 0, %B622.preheader.thread ], [ %.519, %B622.preheader ]
  %size.3.0.ph86 = phi i64 [ 2, %B622.preheader.thread ], [ %.549, %B622.preheader ]
  %n.8.0.ph85 = phi i64 [ %arg.n, %B622.preheader.thread ], [ %.579, %B622.preheader ]
  %.897 = getelementptr i8, ptr %arg.m.4, i64 848
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 416
  %.49.i1594 = getelementptr i8, ptr %arg.m.4, i64 440
  %.1692.not = icmp eq i64 %arg.sifted, 0
  %.65.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.68.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.63.i = getelementptr i8, ptr %arg.m.4, i64 528
  %.2661 = getelementptr i8, ptr %arg.m.4, i64 888
  br label %B636.outer

B636.outer:                                       ; preds = %B636.preheader.lr.ph, %B2102
  %n.4.1.ph = phi i64 [ %n.8.0.ph85, %B636.preheader.lr.ph ], [ %n.5.2.lcssa, %B2102 ]
  %size.4.1.ph = phi i64 [ %size.3.0.ph86, %B636.preheader.lr.ph ], [ %size.5.2.lcssa, %B2102 ]
  %front.5.1.ph = phi i64 [ %front.4.0.ph87, %B636.preheader.lr.ph ], [ %.2707, %B2102 ]
  %.898 = load i64, ptr %.897, align 8
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !214
  %.904 = add i64 %.50.i, %n.4.1.ph
  %.83.i = load i64, ptr %.334, align 8, !noalias !214
  %.1019 = add i64 %size.4.1.ph, 2
  br label %B636

B636:                                             ; preds = %B636.outer, %B1038
  %front.5.1 = phi i64 [ %.1205, %B1038 ], [ %front.5.1.ph, %B636.outer ]
  %.747 = icmp slt i64 %front.5.1, 0
  %.748 = select i1 %.747, i64 %.297, i64 0
  %0 = getelementptr i64, ptr %.303, i64 %front.5.1
  %.762 = getelementptr i64, ptr %0, i64 %.748
  %.763 = load i64, ptr %.762, align 8
  %.779 = icmp slt i64 %front.5.1, -1
  %.780 = select i1 %.779, i64 %.297, i64 0
  %1 = getelementptr i8, ptr %0, i64 8
  %.794 = getelementptr i64, ptr %1, i64 %.780
  %.795 = load i64, ptr %.794, align 8
  %.812 = icmp slt i64 %.763, 0
  %.813 = select i1 %.812, i64 %.212, i64 0
  %2 = getelementptr i32, ptr %.218, i64 %.763
  %.827 = getelementptr i32, ptr %2, i64 %.813
  %.828 = load i32, ptr %.827, align 4
  %.829 = sext i32 %.828 to i64
  %.844 = icmp slt i64 %.763, -1
  %.845 = select i1 %.844, i64 %.212, i64 0
  %3 = getelementptr i8, ptr %2, i64 4
  %.859 = getelementptr i32, ptr %3, i64 %.845
  %.860 = load i32, ptr %.859, align 4
  %.861 = sext i32 %.860 to i64
  %.901 = sub nsw i64 %.861, %.829
  %.902 = mul nsw i64 %.901, %.898
  %.51.i = add i64 %.904, %.902
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %B848, label %B884

B848:                                             ; preds = %B636
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 51, ptr %.122.i, align 8, !noalias !214
  %.16.i = add nsw i64 %front.5.1, 1
  store i64 %.16.i, ptr %.475, align 8, !noalias !217
  %.73.i = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %size.4.1.ph, ptr %.73.i, align 8, !noalias !217
  %.102.i = getelementptr i8, ptr %arg.m.4, i64 912
  store i64 %n.4.1.ph, ptr %.102.i, align 8, !noalias !217
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B884:                                             ; preds = %B636
  %.1017 = shl nsw i64 %.901, 1
  %.50.i1595 = load i64, ptr %.49.i1594, align 8, !noalias !220
  %.1020 = add i64 %.1019, %.1017
  %.51.i1596 = add nsw i64 %.1020, %.50.i1595
  %.83.i1598 = load i64, ptr %.296, align 8, !noalias !220
  %.84.not.i1599 = icmp sgt i64 %.51.i1596, %.83.i1598
  br i1 %.84.not.i1599, label %B952, label %B988

B952:                                             ; preds = %B884
  %.122.i1602 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 54, ptr %.122.i1602, align 8, !noalias !220
  %.16.i1603 = add nsw i64 %front.5.1, 1
  store i64 %.16.i1603, ptr %.475, align 8, !noalias !223
  %.73.i1605 = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %size.4.1.ph, ptr %.73.i1605, align 8, !noalias !223
  %.102.i1606 = getelementptr i8, ptr %arg.m.4, i64 912
  store i64 %n.4.1.ph, ptr %.102.i1606, align 8, !noalias !223
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B988:                                             ; preds = %B884
  %.1154 = icmp slt i64 %.795, 0
  %.1155 = select i1 %.1154, i64 %.39, i64 0
  %.1156 = add i64 %.1155, %.795
  %.idx19 = shl i64 %.1156, 6
  %4 = getelementptr i8, ptr %.45, i64 %.idx19
  %.1180 = getelementptr i8, ptr %4, i64 24
  %.1181 = load i64, ptr %.1180, align 8
  %.1182 = icmp eq i64 %.1181, 0
  %.1186 = icmp eq i32 %.828, %.860
  %or.cond = or i1 %.1186, %.1182
  br i1 %or.cond, label %B1038, label %B1050

B1038:                                            ; preds = %B988
  %.1205 = add nsw i64 %front.5.1, 2
  %.722 = icmp slt i64 %.1205, %size.4.1.ph
  br i1 %.722, label %B636, label %B2126

B1050:                                            ; preds = %B988
  %.1180.le = getelementptr i8, ptr %4, i64 24
  %.1214 = icmp slt i64 %.901, 3
  br i1 %.1214, label %B1078, label %B1114

B1078:                                            ; preds = %B1050
  %arg.m.4.val = load i64, ptr %.35, align 8
  %arg.m.4.val1593 = load i64, ptr %.38, align 8
  %.33.i = inttoptr i64 %arg.m.4.val to ptr
  %.88.i = select i1 %.1154, i64 %arg.m.4.val1593, i64 0
  %.89.i = add i64 %.88.i, %.795
  %.113.idx.i = shl i64 %.89.i, 6
  %.113.i = getelementptr i8, ptr %.33.i, i64 %.113.idx.i
  %.114.i = load i64, ptr %.113.i, align 8, !noalias !226
  %.115.not.i = icmp eq i64 %.114.i, -4
  br i1 %.115.not.i, label %B1108.thread8, label %B1114

B1108.thread8:                                    ; preds = %B1078
  store i64 -5, ptr %.113.i, align 8, !noalias !226
  br label %B1238

B1114:                                            ; preds = %B1050, %B1078
  %.1322 = load i64, ptr %4, align 8
  %.1323 = icmp slt i64 %.1322, 0
  br i1 %.1323, label %B1152, label %B1238

B1152:                                            ; preds = %B1114
  store i64 0, ptr %.1328, align 8
  call fastcc void @states.new_row(ptr %.1328, ptr nonnull %arg.m.4, i64 %.795)
  %.1344 = load i64, ptr %.1328, align 8
  %.1354 = icmp eq i64 %.1344, -3
  br i1 %.1354, label %B1202, label %B1238

B1202:                                            ; preds = %B1152
  %.16.i1608 = add nsw i64 %front.5.1, 1
  store i64 %.16.i1608, ptr %.475, align 8, !noalias !229
  %.73.i1610 = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %size.4.1.ph, ptr %.73.i1610, align 8, !noalias !229
  %.102.i1611 = getelementptr i8, ptr %arg.m.4, i64 912
  store i64 %n.4.1.ph, ptr %.102.i1611, align 8, !noalias !229
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1238:                                            ; preds = %B1108.thread8, %B1152, %B1114
  %"$phi1108.0.2.27" = phi i1 [ false, %B1152 ], [ false, %B1114 ], [ true, %B1108.thread8 ]
  %.1544 = load i64, ptr %.1180.le, align 8
  %.1545 = icmp eq i64 %.1544, 1
  %spec.select = tail call i64 @llvm.smax.i64(i64 %.901, i64 0)
  %.165049.not = icmp eq i64 %spec.select, 0
  br i1 %.165049.not, label %B2102, label %B1348.if.lr.ph

B1348.if.lr.ph:                                   ; preds = %B1238
  %.1489 = load i64, ptr %4, align 8
  %.1968 = icmp slt i64 %.1489, 0
  %.1969 = select i1 %.1968, i64 %.81, i64 0
  %.1970 = add i64 %.1969, %.1489
  %.idx = shl i64 %.1970, 10
  %5 = getelementptr i8, ptr %.87, i64 %.idx
  %.1805 = select i1 %.1968, i64 %.123, i64 0
  %.1806 = add i64 %.1805, %.1489
  %.1823 = shl i64 %.1806, 8
  %6 = getelementptr i8, ptr %.129, i64 %.1823
  %.1898 = getelementptr i8, ptr %4, i64 8
  br label %B1348.if

B1356:                                            ; preds = %B1348.if
  %.1708 = icmp slt i64 %.1593.050, 0
  %.1709 = select i1 %.1708, i64 %.373, i64 0
  %7 = getelementptr i8, ptr %.379, i64 %.1593.050
  %.1723 = getelementptr i8, ptr %7, i64 %.1709
  %.1724 = load i8, ptr %.1723, align 1
  %.1726 = icmp eq i8 %.1724, 0
  br i1 %.1726, label %B2127, label %B1382

B1382:                                            ; preds = %B1356, %B1348.if
  br i1 %.1545, label %B1386, label %B1460

B1386:                                            ; preds = %B1382
  %.1759 = icmp slt i64 %.1593.050, 0
  %.1760 = select i1 %.1759, i64 %.174, i64 0
  %8 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.1774 = getelementptr i8, ptr %8, i64 %.1760
  %.1775 = load i8, ptr %.1774, align 1
  %.1782 = zext i8 %.1775 to i64
  %.1827 = getelementptr i8, ptr %6, i64 %.1782
  %.1828 = load i8, ptr %.1827, align 1
  %.1830 = icmp eq i8 %.1828, 0
  br i1 %.1830, label %B2127, label %B1428

B1428:                                            ; preds = %B1386
  %.1899 = load i64, ptr %.1898, align 8
  br label %B1538

B1460:                                            ; preds = %B1382
  br i1 %"$phi1108.0.2.27", label %B1574, label %B1480

B1480:                                            ; preds = %B1460
  %.1923 = icmp slt i64 %.1593.050, 0
  %.1924 = select i1 %.1923, i64 %.174, i64 0
  %9 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.1938 = getelementptr i8, ptr %9, i64 %.1924
  %.1939 = load i8, ptr %.1938, align 1
  %.1946 = zext i8 %.1939 to i64
  %.1991 = getelementptr i32, ptr %5, i64 %.1946
  %.1992 = load i32, ptr %.1991, align 4
  %.1993 = sext i32 %.1992 to i64
  br label %B1538

B1538:                                            ; preds = %B1480, %B1428
  %after.4.4 = phi i64 [ %.1899, %B1428 ], [ %.1993, %B1480 ]
  %.2002 = icmp slt i64 %after.4.4, 0
  br i1 %.2002, label %B1550, label %B1844

B1550:                                            ; preds = %B1538
  %.2007 = icmp eq i64 %after.4.4, -1
  br i1 %.2007, label %B2127, label %B1574

B1574:                                            ; preds = %B1460, %B1550
  %after.4.41316 = phi i64 [ %after.4.4, %B1550 ], [ -2, %B1460 ]
  %.2038 = icmp slt i64 %.1593.050, 0
  %.2039 = select i1 %.2038, i64 %.212, i64 0
  %10 = getelementptr i32, ptr %.218, i64 %.1593.050
  %.2053 = getelementptr i32, ptr %10, i64 %.2039
  %.2054 = load i32, ptr %.2053, align 4
  %.2070 = icmp slt i64 %.1593.050, -1
  %.2071 = select i1 %.2070, i64 %.212, i64 0
  %11 = getelementptr i8, ptr %10, i64 4
  %.2085 = getelementptr i32, ptr %11, i64 %.2071
  %.2086 = load i32, ptr %.2085, align 4
  %.2087 = icmp eq i32 %.2054, %.2086
  br i1 %.2087, label %B1616, label %B1696

B1616:                                            ; preds = %B1574
  br i1 %"$phi1108.0.2.27", label %B1620, label %B1844

B1620:                                            ; preds = %B1616
  %.2107 = select i1 %.2038, i64 %.174, i64 0
  %12 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.2121 = getelementptr i8, ptr %12, i64 %.2107
  %.2122 = load i8, ptr %.2121, align 1
  %.2123 = zext i8 %.2122 to i64
  %.25.i = load i64, ptr %.35, align 8, !noalias !232
  %.28.i = load i64, ptr %.38, align 8, !noalias !232
  %.34.i = inttoptr i64 %.25.i to ptr
  %.66.i = load i64, ptr %.65.i, align 8, !noalias !232
  %.69.i = load i64, ptr %.68.i, align 8, !noalias !232
  %.75.i = inttoptr i64 %.66.i to ptr
  %.103.i = load i64, ptr %.119, align 8, !noalias !232
  %.106.i = load i64, ptr %.122, align 8, !noalias !232
  %.112.i = inttoptr i64 %.103.i to ptr
  %.171.i = select i1 %.1154, i64 %.28.i, i64 0
  %.172.i = add i64 %.171.i, %.795
  %.idx.i = shl i64 %.172.i, 6
  %13 = getelementptr i8, ptr %.34.i, i64 %.idx.i
  %.302.i = getelementptr i8, ptr %13, i64 24
  %.303.i = load i64, ptr %.302.i, align 8, !noalias !232
  %invariant.gep.i = getelementptr i8, ptr %.112.i, i64 %.2123
  %.3861.not.i = icmp slt i64 %.303.i, 1
  br i1 %.3861.not.i, label %B2127, label %B250.if.preheader.i

B250.if.preheader.i:                              ; preds = %B1620
  %.196.i = getelementptr i8, ptr %13, i64 16
  %.197.i = load i64, ptr %.196.i, align 8, !noalias !232
  br label %B250.if.i

B302.i:                                           ; preds = %B250.if.i
  %.449.i = icmp slt i64 %.328.02.i, 0
  %.450.i = select i1 %.449.i, i64 %.69.i, i64 0
  %14 = getelementptr i64, ptr %.75.i, i64 %.328.02.i
  %.464.i = getelementptr i64, ptr %14, i64 %.450.i
  %.465.i = load i64, ptr %.464.i, align 8, !noalias !232
  %.468.i = ashr i64 %.465.i, 32
  %.492.i = icmp slt i64 %.468.i, 0
  %.493.i = select i1 %.492.i, i64 %.106.i, i64 0
  %.494.i = add i64 %.493.i, %.468.i
  %.514.i = shl i64 %.494.i, 8
  %gep.i = getelementptr i8, ptr %invariant.gep.i, i64 %.514.i
  %.519.i = load i8, ptr %gep.i, align 1, !noalias !232
  %.521.i = icmp ne i8 %.519.i, 0
  %.386.i = icmp ugt i64 %.331.03.i, 1
  br i1 %.386.i, label %B250.if.i.backedge, label %states.takes.exit

B250.if.i.backedge:                               ; preds = %B302.i, %B302.i.thread
  %found.2.04.i.be = phi i1 [ %.521.i, %B302.i ], [ true, %B302.i.thread ]
  br label %B250.if.i

B302.i.thread:                                    ; preds = %B250.if.i
  %.386.i89 = icmp ugt i64 %.331.03.i, 1
  br i1 %.386.i89, label %B250.if.i.backedge, label %B1844

B250.if.i:                                        ; preds = %B250.if.i.backedge, %B250.if.preheader.i
  %found.2.04.i = phi i1 [ false, %B250.if.preheader.i ], [ %found.2.04.i.be, %B250.if.i.backedge ]
  %.331.03.i = phi i64 [ %.303.i, %B250.if.preheader.i ], [ %.395.i, %B250.if.i.backedge ]
  %.328.02.i = phi i64 [ %.197.i, %B250.if.preheader.i ], [ %.399.i, %B250.if.i.backedge ]
  %.395.i = add nsw i64 %.331.03.i, -1
  %.399.i = add i64 %.328.02.i, 1
  br i1 %found.2.04.i, label %B302.i.thread, label %B302.i

states.takes.exit:                                ; preds = %B302.i
  br i1 %.521.i, label %B1844, label %B2127

B1696:                                            ; preds = %B1574
  %.2201 = select i1 %.2038, i64 %.174, i64 0
  %15 = getelementptr i8, ptr %.180, i64 %.1593.050
  %.2215 = getelementptr i8, ptr %15, i64 %.2201
  %.2216 = load i8, ptr %.2215, align 1
  %.2217 = zext i8 %.2216 to i64
  store i64 0, ptr %.2220, align 8
  %.2226 = call fastcc i32 @states.step_once(ptr %.2220, ptr %excinfo.9, ptr %arg.m.4, i64 %.795, i64 %.2217)
  %.2228.not = icmp eq i32 %.2226, 0
  %.2236 = load i64, ptr %.2220, align 8
  br i1 %.2228.not, label %B1696.endif, label %B1696.if, !prof !4

B1780:                                            ; preds = %B1696.endif
  %.2260 = icmp eq i64 %.2236, -3
  br i1 %.2260, label %B1802, label %B2127

B1802:                                            ; preds = %B1780
  %.16.i1613 = add nsw i64 %front.5.1, 1
  store i64 %.16.i1613, ptr %.475, align 8, !noalias !235
  %.73.i1615 = getelementptr i8, ptr %arg.m.4, i64 904
  store i64 %size.4.1.ph, ptr %.73.i1615, align 8, !noalias !235
  %.102.i1616 = getelementptr i8, ptr %arg.m.4, i64 912
  store i64 %n.4.1.ph, ptr %.102.i1616, align 8, !noalias !235
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1844:                                            ; preds = %B302.i.thread, %B1616, %states.takes.exit, %B1696.endif, %B1538
  %after.5.4 = phi i64 [ %after.4.4, %B1538 ], [ %.2236, %B1696.endif ], [ %after.4.41316, %states.takes.exit ], [ %after.4.41316, %B1616 ], [ %after.4.41316, %B302.i.thread ]
  %.2370 = icmp slt i64 %.1593.050, 0
  %.2371 = select i1 %.2370, i64 %.250, i64 0
  %16 = getelementptr i32, ptr %.256, i64 %.1593.050
  %.2385 = getelementptr i32, ptr %16, i64 %.2371
  %.2386 = load i32, ptr %.2385, align 4
  %.2406 = icmp slt i64 %n.5.254, 0
  %.2407 = select i1 %.2406, i64 %.335, i64 0
  %17 = getelementptr i32, ptr %.341, i64 %n.5.254
  %.2421 = getelementptr i32, ptr %17, i64 %.2407
  store i32 %.2386, ptr %.2421, align 4
  %.2425 = icmp sgt i32 %.2386, -1
  %.2428 = zext i1 %.2425 to i64
  %.2429 = add nsw i64 %n.5.254, %.2428
  %.2440 = icmp slt i32 %.2386, -1
  br i1 %.2440, label %B1936, label %B1970

B1936:                                            ; preds = %B1844
  %.27.i1617 = load i64, ptr %.331, align 8, !noalias !238
  %.30.i = load i64, ptr %.334, align 8, !noalias !238
  %.36.i = inttoptr i64 %.27.i1617 to ptr
  %.64.i = load i64, ptr %.63.i, align 8, !noalias !238
  %.73.i1618 = inttoptr i64 %.64.i to ptr
  %narrow = sub nuw nsw i32 -2, %.2386
  br label %B152.i

B152.i:                                           ; preds = %B1936, %B152.i
  %n.2.0.i = phi i64 [ %.169.i, %B152.i ], [ %.2429, %B1936 ]
  %t.1.2.0.i.in = phi i32 [ %.204.i, %B152.i ], [ %narrow, %B1936 ]
  %t.1.2.0.i = zext i32 %t.1.2.0.i.in to i64
  %.150.i = icmp slt i64 %n.2.0.i, 0
  %.151.i = select i1 %.150.i, i64 %.30.i, i64 0
  %18 = getelementptr i32, ptr %.36.i, i64 %n.2.0.i
  %.165.i = getelementptr i32, ptr %18, i64 %.151.i
  store i32 %t.1.2.0.i.in, ptr %.165.i, align 4, !noalias !238
  %.169.i = add nsw i64 %n.2.0.i, 1
  %.203.i = getelementptr i32, ptr %.73.i1618, i64 %t.1.2.0.i
  %.204.i = load i32, ptr %.203.i, align 4, !noalias !238
  %.208.i = icmp sgt i32 %.204.i, -1
  br i1 %.208.i, label %B152.i, label %B1970

B1970:                                            ; preds = %B152.i, %B1844
  %n.7.4 = phi i64 [ %.2429, %B1844 ], [ %.169.i, %B152.i ]
  %.2498 = icmp slt i64 %size.5.255, 0
  %.2499 = select i1 %.2498, i64 %.297, i64 0
  %19 = getelementptr i64, ptr %.303, i64 %size.5.255
  %.2513 = getelementptr i64, ptr %19, i64 %.2499
  store i64 %.1593.050, ptr %.2513, align 8
  %.2531 = icmp slt i64 %size.5.255, -1
  %.2532 = select i1 %.2531, i64 %.297, i64 0
  %20 = getelementptr i8, ptr %19, i64 8
  %.2546 = getelementptr i64, ptr %20, i64 %.2532
  store i64 %after.5.4, ptr %.2546, align 8
  %.2563 = select i1 %.2370, i64 %.212, i64 0
  %21 = getelementptr i32, ptr %.218, i64 %.1593.050
  %.2577 = getelementptr i32, ptr %21, i64 %.2563
  %.2578 = load i32, ptr %.2577, align 4
  %.2594 = icmp slt i64 %.1593.050, -1
  %.2595 = select i1 %.2594, i64 %.212, i64 0
  %22 = getelementptr i8, ptr %21, i64 4
  %.2609 = getelementptr i32, ptr %22, i64 %.2595
  %.2610 = load i32, ptr %.2609, align 4
  %.2611 = icmp slt i32 %.2578, %.2610
  %.2614 = icmp ne i64 %.1593.050, %.437
  %.2615 = and i1 %.2614, %.2611
  %.2618 = select i1 %.2615, i64 2, i64 0
  %.2620 = add nsw i64 %.2618, %size.5.255
  %.2628 = icmp eq i64 %.1593.050, %.437
  br i1 %.2628, label %B2078, label %B2127

B2078:                                            ; preds = %B1970
  store i64 %after.5.4, ptr %.2661, align 8
  br label %B2127

B2102:                                            ; preds = %B2127, %B1238
  %n.5.2.lcssa = phi i64 [ %n.4.1.ph, %B1238 ], [ %n.6.3, %B2127 ]
  %size.5.2.lcssa = phi i64 [ %size.4.1.ph, %B1238 ], [ %size.6.3, %B2127 ]
  %.2707 = add nsw i64 %front.5.1, 2
  %.2711 = icmp slt i64 %.2707, %size.5.2.lcssa
  br i1 %.2711, label %B636.outer, label %B2126

common.ret:                                       ; preds = %B1696.if, %B1802, %B1202, %B952, %B848, %B2126
  %common.ret.op = phi i32 [ 0, %B2126 ], [ 0, %B1202 ], [ 0, %B848 ], [ 0, %B1802 ], [ 1, %B1696.if ], [ 0, %B952 ]
  ret i32 %common.ret.op

B2126:                                            ; preds = %B1038, %B2102, %B622.preheader
  %n.9.2 = phi i64 [ %.579, %B622.preheader ], [ %n.4.1.ph, %B1038 ], [ %n.5.2.lcssa, %B2102 ]
  store i64 %n.9.2, ptr %retptr, align 8
  br label %common.ret

B2127:                                            ; preds = %B1620, %B1970, %B2078, %B1780, %states.takes.exit, %B1550, %B1386, %B1356
  %n.6.3 = phi i64 [ %n.5.254, %states.takes.exit ], [ %n.5.254, %B1356 ], [ %n.5.254, %B1386 ], [ %n.5.254, %B1780 ], [ %n.5.254, %B1550 ], [ %n.7.4, %B2078 ], [ %n.7.4, %B1970 ], [ %n.5.254, %B1620 ]
  %size.6.3 = phi i64 [ %size.5.255, %states.takes.exit ], [ %size.5.255, %B1356 ], [ %size.5.255, %B1386 ], [ %size.5.255, %B1780 ], [ %size.5.255, %B1550 ], [ %.2620, %B2078 ], [ %.2620, %B1970 ], [ %size.5.255, %B1620 ]
  %.1650 = icmp sgt i64 %.1596.053, 1
  br i1 %.1650, label %B1348.if, label %B2102

B1348.if:                                         ; preds = %B1348.if.lr.ph, %B2127
  %size.5.255 = phi i64 [ %size.4.1.ph, %B1348.if.lr.ph ], [ %size.6.3, %B2127 ]
  %n.5.254 = phi i64 [ %n.4.1.ph, %B1348.if.lr.ph ], [ %n.6.3, %B2127 ]
  %.1596.053 = phi i64 [ %spec.select, %B1348.if.lr.ph ], [ %.1659, %B2127 ]
  %.1593.050 = phi i64 [ %.829, %B1348.if.lr.ph ], [ %.1663, %B2127 ]
  %.1659 = add nsw i64 %.1596.053, -1
  %.1663 = add nsw i64 %.1593.050, 1
  br i1 %.1692.not, label %B1382, label %B1356

B1696.if:                                         ; preds = %B1696
  %.2227 = load ptr, ptr %excinfo.9, align 8
  store ptr %.2227, ptr %excinfo, align 8
  br label %common.ret

B1696.endif:                                      ; preds = %B1696
  %.2253 = icmp slt i64 %.2236, 0
  br i1 %.2253, label %B1780, label %B1844
}

define internal fastcc void @states.new_row(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.26 = getelementptr i8, ptr %arg.m.4, i64 120
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 136
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 96
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 112
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.106 = getelementptr i8, ptr %arg.m.4, i64 192
  %.107 = load i64, ptr %.106, align 8
  %.109 = getelementptr i8, ptr %arg.m.4, i64 208
  %.110 = load i64, ptr %.109, align 8
  %.116 = inttoptr i64 %.107 to ptr
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 176
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !241
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 184
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !241
  %.84.not.not.i = icmp slt i64 %.50.i, %.83.i
  br i1 %.84.not.not.i, label %B188, label %views.lacks.3.exit

views.lacks.3.exit:                               ; preds = %entry
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 21, ptr %.122.i, align 8, !noalias !241
  br label %common.ret

common.ret:                                       ; preds = %views.lacks.3.exit, %B800
  %storemerge781 = phi i64 [ 0, %B800 ], [ -3, %views.lacks.3.exit ]
  store i64 %storemerge781, ptr %retptr, align 8
  ret void

B188:                                             ; preds = %entry
  %.209 = getelementptr i8, ptr %arg.m.4, i64 168
  %.210 = load i64, ptr %.209, align 8
  %.219 = inttoptr i64 %.210 to ptr
  %.291 = icmp slt i64 %.50.i, 0
  %.292 = select i1 %.291, i64 %.83.i, i64 0
  %.293 = add i64 %.292, %.50.i
  %.312.idx = shl i64 %.293, 10
  %.312 = getelementptr i8, ptr %.219, i64 %.312.idx
  %.349 = getelementptr i8, ptr %arg.m.4, i64 312
  %.350 = load i64, ptr %.349, align 8
  %.352 = getelementptr i8, ptr %arg.m.4, i64 328
  %.353 = load i64, ptr %.352, align 8
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 4 dereferenceable(1024) %.312, i8 -1, i64 1024, i1 false)
  %.359 = inttoptr i64 %.350 to ptr
  %.874 = icmp slt i64 %.353, 1
  br i1 %.874, label %.940.if, label %.640.endif.else.endif.endif.endif, !prof !26

B436.loopexit:                                    ; preds = %vector.body, %B700
  %.1192 = add nuw nsw i64 %.1123.013, 1
  %exitcond17.not = icmp eq i64 %.1099, %.1192
  br i1 %exitcond17.not, label %B742.if.preheader, label %B436.if

B686:                                             ; preds = %B556.if
  %.1648 = load i32, ptr %.1537, align 4
  br label %B700

B700:                                             ; preds = %B556.if, %B686
  %"$phi700.2.2.2" = phi i32 [ %.1648, %B686 ], [ %.1319, %B556.if ]
  store i32 %"$phi700.2.2.2", ptr %.1537, align 4
  %exitcond.not = icmp eq i64 %.1418, 256
  br i1 %exitcond.not, label %B436.loopexit, label %B556.if, !llvm.loop !244

B776:                                             ; preds = %B742.if
  %.1894 = getelementptr i32, ptr %.312, i64 %.1731.015
  %.1895 = load i32, ptr %.1894, align 4
  br label %B790

B790:                                             ; preds = %B742.if, %B776
  %"$phi790.1.2.1" = phi i32 [ %.1895, %B776 ], [ -2, %B742.if ]
  %.1930 = getelementptr i32, ptr %.312, i64 %.1731.015
  store i32 %"$phi790.1.2.1", ptr %.1930, align 4
  %.1800.1 = add nuw nsw i64 %.1731.015, 2
  %0 = getelementptr i8, ptr %.359, i64 %.1800
  %.1858.1 = load i8, ptr %0, align 1
  %.1859.not.1 = icmp eq i8 %.1858.1, 0
  br i1 %.1859.not.1, label %B776.1, label %B790.1

B776.1:                                           ; preds = %B790
  %.1894.1 = getelementptr i32, ptr %.312, i64 %.1800
  %.1895.1 = load i32, ptr %.1894.1, align 4
  br label %B790.1

B790.1:                                           ; preds = %B776.1, %B790
  %"$phi790.1.2.1.1" = phi i32 [ %.1895.1, %B776.1 ], [ -2, %B790 ]
  %.1930.1 = getelementptr i32, ptr %.312, i64 %.1800
  store i32 %"$phi790.1.2.1.1", ptr %.1930.1, align 4
  %exitcond18.not.1 = icmp eq i64 %.1800.1, 256
  br i1 %exitcond18.not.1, label %B800, label %B742.if

B800:                                             ; preds = %B790.1
  %.1976 = load i64, ptr %.49.i, align 8
  store i64 %.1976, ptr %1, align 8
  %.2067 = add nsw i64 %.1976, 1
  store i64 %.2067, ptr %.49.i, align 8
  br label %common.ret

.640.endif.endif:                                 ; preds = %.640.endif.else.endif.endif.endif
  br label %.940.endif.preheader

.940.endif.preheader:                             ; preds = %.640.endif.else.endif.endif.endif, %.640.endif.endif
  %.849.sroa.13.023 = phi i64 [ %.353, %.640.endif.endif ], [ 256, %.640.endif.else.endif.endif.endif ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.359, i8 0, i64 %.849.sroa.13.023, i1 false)
  br label %.940.if

.640.endif.else.endif.endif.endif:                ; preds = %B188
  %.891 = icmp ult i64 %.353, 257
  br i1 %.891, label %.640.endif.endif, label %.940.endif.preheader, !prof !56

.940.if:                                          ; preds = %B188, %.940.endif.preheader
  %.1014 = icmp slt i64 %arg.state, 0
  %.1015 = select i1 %.1014, i64 %.30, i64 0
  %.1016 = add i64 %.1015, %arg.state
  %.idx = shl i64 %.1016, 6
  %1 = getelementptr i8, ptr %.36, i64 %.idx
  %.1040 = getelementptr i8, ptr %1, i64 16
  %.1041 = load i64, ptr %.1040, align 8
  %.1098 = getelementptr i8, ptr %1, i64 24
  %.1099 = load i64, ptr %.1098, align 8
  %.117912.not = icmp slt i64 %.1099, 1
  br i1 %.117912.not, label %B742.if.preheader, label %B436.if.preheader

B742.if.preheader:                                ; preds = %B436.loopexit, %.940.if
  br label %B742.if

B436.if.preheader:                                ; preds = %.940.if
  %scevgep = getelementptr i8, ptr %.359, i64 256
  %2 = getelementptr i8, ptr %.219, i64 %.312.idx
  %scevgep1 = getelementptr i8, ptr %2, i64 1024
  %scevgep2 = getelementptr i8, ptr %.116, i64 256
  %bound0 = icmp ugt ptr %scevgep1, %.359
  %bound1 = icmp ult ptr %.312, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br label %B436.if

B436.if:                                          ; preds = %B436.if.preheader, %B436.loopexit
  %.1123.013 = phi i64 [ %.1192, %B436.loopexit ], [ 0, %B436.if.preheader ]
  %.1218 = add nsw i64 %.1123.013, %.1041
  %.1232 = icmp slt i64 %.1218, 0
  %.1233 = select i1 %.1232, i64 %.72, i64 0
  %3 = getelementptr i64, ptr %.78, i64 %.1218
  %.1247 = getelementptr i64, ptr %3, i64 %.1233
  %.1248 = load i64, ptr %.1247, align 8
  %.1249 = ashr i64 %.1248, 32
  %.1268 = icmp slt i64 %.1249, 0
  %.1269 = select i1 %.1268, i64 %.110, i64 0
  %.1270 = add i64 %.1269, %.1249
  %.1287 = shl i64 %.1270, 8
  %.1289 = getelementptr i8, ptr %.116, i64 %.1287
  %4 = trunc i64 %.1123.013 to i32
  %.1319 = sub i32 -16, %4
  %scevgep3 = getelementptr i8, ptr %scevgep2, i64 %.1287
  %bound04 = icmp ugt ptr %scevgep3, %.359
  %bound15 = icmp ult ptr %.1289, %scevgep
  %found.conflict6 = and i1 %bound04, %bound15
  %conflict.rdx = or i1 %found.conflict, %found.conflict6
  %bound07 = icmp ult ptr %.312, %scevgep3
  %bound18 = icmp ult ptr %.1289, %scevgep1
  %found.conflict9 = and i1 %bound07, %bound18
  %conflict.rdx10 = or i1 %conflict.rdx, %found.conflict9
  br i1 %conflict.rdx10, label %B556.if, label %vector.ph

vector.ph:                                        ; preds = %B436.if
  %broadcast.splatinsert = insertelement <4 x i32> poison, i32 %.1319, i64 0
  %broadcast.splat = shufflevector <4 x i32> %broadcast.splatinsert, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %5 = getelementptr i8, ptr %.359, i64 %index
  %wide.load = load <4 x i8>, ptr %5, align 1, !alias.scope !245, !noalias !248
  %6 = getelementptr i8, ptr %.1289, i64 %index
  %wide.load11 = load <4 x i8>, ptr %6, align 1, !alias.scope !251
  %7 = getelementptr i32, ptr %.312, i64 %index
  %wide.load12 = load <4 x i32>, ptr %7, align 4, !alias.scope !252, !noalias !251
  %8 = icmp eq <4 x i32> %wide.load12, <i32 -1, i32 -1, i32 -1, i32 -1>
  %9 = and <4 x i8> %wide.load11, <i8 1, i8 1, i8 1, i8 1>
  %10 = select <4 x i1> %8, <4 x i8> zeroinitializer, <4 x i8> %9
  %11 = or <4 x i8> %10, %wide.load
  store <4 x i8> %11, ptr %5, align 1, !alias.scope !245, !noalias !248
  %wide.load13 = load <4 x i8>, ptr %6, align 1, !alias.scope !251
  %12 = icmp eq <4 x i8> %wide.load13, zeroinitializer
  %wide.load14 = load <4 x i32>, ptr %7, align 4, !alias.scope !252, !noalias !251
  %predphi = select <4 x i1> %12, <4 x i32> %wide.load14, <4 x i32> %broadcast.splat
  store <4 x i32> %predphi, ptr %7, align 4, !alias.scope !252, !noalias !251
  %index.next = add nuw i64 %index, 4
  %13 = icmp eq i64 %index.next, 256
  br i1 %13, label %B436.loopexit, label %vector.body, !llvm.loop !253

B556.if:                                          ; preds = %B436.if, %B700
  %.1349.010 = phi i64 [ %.1418, %B700 ], [ 0, %B436.if ]
  %.1418 = add nuw nsw i64 %.1349.010, 1
  %14 = getelementptr i8, ptr %.359, i64 %.1349.010
  %.1476 = load i8, ptr %14, align 1
  %.1506 = getelementptr i8, ptr %.1289, i64 %.1349.010
  %.1507 = load i8, ptr %.1506, align 1
  %.1537 = getelementptr i32, ptr %.312, i64 %.1349.010
  %.1538 = load i32, ptr %.1537, align 4
  %.1540.not = icmp eq i32 %.1538, -1
  %15 = and i8 %.1507, 1
  %.1545 = select i1 %.1540.not, i8 0, i8 %15
  %.1547 = or i8 %.1545, %.1476
  store i8 %.1547, ptr %14, align 1
  %.1610 = load i8, ptr %.1506, align 1
  %.1611.not = icmp eq i8 %.1610, 0
  br i1 %.1611.not, label %B686, label %B700

B742.if:                                          ; preds = %B790.1, %B742.if.preheader
  %.1731.015 = phi i64 [ 0, %B742.if.preheader ], [ %.1800.1, %B790.1 ]
  %.1800 = or i64 %.1731.015, 1
  %16 = getelementptr i8, ptr %.359, i64 %.1731.015
  %.1858 = load i8, ptr %16, align 1
  %.1859.not = icmp eq i8 %.1858, 0
  br i1 %.1859.not, label %B776, label %B790
}

define internal fastcc i32 @states.step_once(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state, i64 %arg.byte) unnamed_addr {
entry:
  %.344 = alloca i64, align 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %.734 = alloca i64, align 8
  %.873 = alloca i64, align 8
  %excinfo.4 = alloca ptr, align 8
  store ptr null, ptr %excinfo.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 120
  %.30 = load i64, ptr %.29, align 8
  %.32 = getelementptr i8, ptr %arg.m.4, i64 136
  %.33 = load i64, ptr %.32, align 8
  %.39 = inttoptr i64 %.30 to ptr
  %.71 = getelementptr i8, ptr %arg.m.4, i64 96
  %.72 = load i64, ptr %.71, align 8
  %.74 = getelementptr i8, ptr %arg.m.4, i64 112
  %.75 = load i64, ptr %.74, align 8
  %.81 = inttoptr i64 %.72 to ptr
  %.109 = getelementptr i8, ptr %arg.m.4, i64 192
  %.110 = load i64, ptr %.109, align 8
  %.112 = getelementptr i8, ptr %arg.m.4, i64 208
  %.113 = load i64, ptr %.112, align 8
  %.119 = inttoptr i64 %.110 to ptr
  %.179 = icmp slt i64 %arg.state, 0
  %.180 = select i1 %.179, i64 %.33, i64 0
  %.181 = add i64 %.180, %arg.state
  %.idx = shl i64 %.181, 6
  %0 = getelementptr i8, ptr %.39, i64 %.idx
  %.205 = getelementptr i8, ptr %0, i64 16
  %.206 = load i64, ptr %.205, align 8
  %.260 = getelementptr i8, ptr %0, i64 24
  %.261 = load i64, ptr %.260, align 8
  %.269 = icmp slt i64 %.261, 2
  br i1 %.269, label %B240, label %B202

B202:                                             ; preds = %entry
  %.325 = load i64, ptr %0, align 8
  %.328 = icmp sgt i64 %.325, -1
  br i1 %.328, label %B240, label %B274

B240:                                             ; preds = %B202, %entry
  store i64 0, ptr %.344, align 8
  %.350 = call fastcc i32 @states.step(ptr %.344, ptr %excinfo.1, ptr nonnull %arg.m.4, i64 %arg.state, i64 %arg.byte)
  %.352.not = icmp eq i32 %.350, 0
  br i1 %.352.not, label %B240.endif, label %B240.if, !prof !4

B274:                                             ; preds = %B202
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 272
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !254
  %.51.i = add nsw i64 %.50.i, %.261
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 280
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !254
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %B318, label %B442.if.lr.ph

common.ret:                                       ; preds = %B612.if, %B240.if, %B240.endif, %B656, %B570, %B318
  %common.ret.op = phi i32 [ 0, %B318 ], [ 0, %B570 ], [ 0, %B656 ], [ 0, %B240.endif ], [ 1, %B612.if ], [ 1, %B240.if ]
  ret i32 %common.ret.op

B318:                                             ; preds = %B274
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 33, ptr %.122.i, align 8, !noalias !254
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B442.if.lr.ph:                                    ; preds = %B274
  %.443 = getelementptr i8, ptr %arg.m.4, i64 264
  %.444 = load i64, ptr %.443, align 8
  %.453 = inttoptr i64 %.444 to ptr
  %invariant.gep = getelementptr i8, ptr %.119, i64 %arg.byte
  %1 = lshr i64 %arg.byte, 55
  %2 = and i64 %1, 256
  %invariant.gep8 = getelementptr i8, ptr %invariant.gep, i64 %2
  br label %B442.if

B484:                                             ; preds = %B442.if
  store i64 0, ptr %.734, align 8
  call fastcc void @leaves.after_leaf(ptr %.734, ptr %arg.m.4, i64 %.641, i64 %arg.byte)
  %.750 = load i64, ptr %.734, align 8
  %.774 = icmp slt i64 %found.2.07, 0
  %.775 = select i1 %.774, i64 %.83.i, i64 0
  %3 = getelementptr i64, ptr %.453, i64 %found.2.07
  %.789 = getelementptr i64, ptr %3, i64 %.775
  store i64 %.750, ptr %.789, align 8
  %.822 = icmp eq i64 %.750, -3
  br i1 %.822, label %B570, label %B588

B570:                                             ; preds = %B484
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B588:                                             ; preds = %B484
  %.841 = add nsw i64 %found.2.07, 1
  br label %B598

B598:                                             ; preds = %B588, %B442.if
  %found.3.1 = phi i64 [ %.841, %B588 ], [ %found.2.07, %B442.if ]
  %.566 = icmp ugt i64 %.513.06, 1
  br i1 %.566, label %B442.if, label %B600

B600:                                             ; preds = %B598
  %.868 = icmp sgt i64 %found.3.1, 0
  br i1 %.868, label %B612, label %B656

B612:                                             ; preds = %B600
  store i64 0, ptr %.873, align 8
  %.879 = call fastcc i32 @states.join(ptr %.873, ptr %excinfo.4, ptr %arg.m.4, i64 %found.3.1)
  %.881.not = icmp eq i32 %.879, 0
  br i1 %.881.not, label %B612.endif, label %B612.if, !prof !4

B656:                                             ; preds = %B600, %B612.endif
  %"$phi656.0.2.0" = phi i64 [ %.889, %B612.endif ], [ -1, %B600 ]
  store i64 %"$phi656.0.2.0", ptr %retptr, align 8
  br label %common.ret

B240.if:                                          ; preds = %B240
  %.351 = load ptr, ptr %excinfo.1, align 8
  store ptr %.351, ptr %excinfo, align 8
  br label %common.ret

B240.endif:                                       ; preds = %B240
  %.360 = load i64, ptr %.344, align 8
  store i64 %.360, ptr %retptr, align 8
  br label %common.ret

B442.if:                                          ; preds = %B442.if.lr.ph, %B598
  %found.2.07 = phi i64 [ 0, %B442.if.lr.ph ], [ %found.3.1, %B598 ]
  %.513.06 = phi i64 [ %.261, %B442.if.lr.ph ], [ %.575, %B598 ]
  %.510.05 = phi i64 [ %.206, %B442.if.lr.ph ], [ %.579, %B598 ]
  %.575 = add nsw i64 %.513.06, -1
  %.579 = add i64 %.510.05, 1
  %.625 = icmp slt i64 %.510.05, 0
  %.626 = select i1 %.625, i64 %.75, i64 0
  %4 = getelementptr i64, ptr %.81, i64 %.510.05
  %.640 = getelementptr i64, ptr %4, i64 %.626
  %.641 = load i64, ptr %.640, align 8
  %.642 = ashr i64 %.641, 32
  %.666 = icmp slt i64 %.642, 0
  %.667 = select i1 %.666, i64 %.113, i64 0
  %.668 = add i64 %.667, %.642
  %.688 = shl i64 %.668, 8
  %gep9 = getelementptr i8, ptr %invariant.gep8, i64 %.688
  %.693 = load i8, ptr %gep9, align 1
  %.694.not = icmp eq i8 %.693, 0
  br i1 %.694.not, label %B598, label %B484

B612.if:                                          ; preds = %B612
  %.880 = load ptr, ptr %excinfo.4, align 8
  store ptr %.880, ptr %excinfo, align 8
  br label %common.ret

B612.endif:                                       ; preds = %B612
  %.889 = load i64, ptr %.873, align 8
  br label %B656
}

define internal fastcc i32 @states.step(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state, i64 %arg.byte) unnamed_addr {
entry:
  %.305.i = alloca i64, align 8
  %.348.i = alloca i64, align 8
  %excinfo.2.i = alloca ptr, align 8
  %.1415.i = alloca i64, align 8
  %.2026.i = alloca i64, align 8
  %excinfo.5.i = alloca ptr, align 8
  %.245.i = alloca i64, align 8
  %excinfo.1.i = alloca ptr, align 8
  %.275 = alloca i64, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 120
  %.30 = load i64, ptr %.29, align 8
  %.32 = getelementptr i8, ptr %arg.m.4, i64 136
  %.33 = load i64, ptr %.32, align 8
  %.39 = inttoptr i64 %.30 to ptr
  %.93.i = icmp slt i64 %arg.state, 0
  %.94.i = select i1 %.93.i, i64 %.33, i64 0
  %.95.i = add i64 %.94.i, %arg.state
  %.idx1.i = shl i64 %.95.i, 6
  %0 = getelementptr i8, ptr %.39, i64 %.idx1.i
  %.119.i = getelementptr i8, ptr %0, i64 24
  %.120.i = load i64, ptr %.119.i, align 8, !noalias !257
  %.175.i = load i64, ptr %0, align 8, !noalias !257
  %.183.i = icmp eq i64 %.120.i, 1
  br i1 %.183.i, label %B118.i, label %B246.i

B118.i:                                           ; preds = %entry
  %.195.i = getelementptr i8, ptr %arg.m.4, i64 192
  %.196.i = load i64, ptr %.195.i, align 8, !noalias !257
  %.198.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.199.i = load i64, ptr %.198.i, align 8, !noalias !257
  %.205.i = inttoptr i64 %.196.i to ptr
  %.258.i = icmp slt i64 %.175.i, 0
  %.259.i = select i1 %.258.i, i64 %.199.i, i64 0
  %.260.i = add i64 %.259.i, %.175.i
  %1 = lshr i64 %arg.byte, 55
  %2 = and i64 %1, 256
  %.280.i = shl i64 %.260.i, 8
  %3 = getelementptr i8, ptr %.205.i, i64 %.280.i
  %4 = getelementptr i8, ptr %3, i64 %arg.byte
  %.284.i = getelementptr i8, ptr %4, i64 %2
  %.285.i = load i8, ptr %.284.i, align 1, !noalias !257
  %.286.not.i = icmp eq i8 %.285.i, 0
  br i1 %.286.not.i, label %B102, label %states.known_step.exit

B246.i:                                           ; preds = %entry
  %.368.i = icmp slt i64 %.175.i, 0
  %.490.i22 = icmp eq i64 %.120.i, 0
  br i1 %.368.i, label %B380.i.thread, label %B380.i

B380.i:                                           ; preds = %B246.i
  br i1 %.490.i22, label %B102, label %states.known_step.exit.thread

B380.i.thread:                                    ; preds = %B246.i
  br i1 %.490.i22, label %B102, label %B214

states.known_step.exit:                           ; preds = %B118.i
  %.343.i = getelementptr i8, ptr %0, i64 8
  %.344.i = load i64, ptr %.343.i, align 8, !noalias !257
  %.102.not = icmp eq i64 %.344.i, -2
  br i1 %.102.not, label %B144, label %B102

states.known_step.exit.thread:                    ; preds = %B380.i
  %.388.i = getelementptr i8, ptr %arg.m.4, i64 168
  %.389.i = load i64, ptr %.388.i, align 8, !noalias !257
  %.398.i = inttoptr i64 %.389.i to ptr
  %.idx.i = shl i64 %.175.i, 10
  %5 = getelementptr i8, ptr %.398.i, i64 %.idx.i
  %6 = getelementptr i32, ptr %5, i64 %arg.byte
  %7 = lshr i64 %arg.byte, 55
  %8 = and i64 %7, 256
  %.477.i = getelementptr i32, ptr %6, i64 %8
  %.478.i = load i32, ptr %.477.i, align 4, !noalias !257
  %9 = tail call i32 @llvm.smax.i32(i32 %.478.i, i32 -2)
  %10 = sext i32 %9 to i64
  %.102.not20 = icmp slt i32 %.478.i, -1
  br i1 %.102.not20, label %B278, label %B102

common.ret:                                       ; preds = %B392.if, %B144.if, %B144.endif, %B468, %B264, %B102
  %common.ret.op = phi i32 [ 0, %B102 ], [ 0, %B264 ], [ 0, %B468 ], [ 1, %B144.if ], [ 0, %B144.endif ], [ 1, %B392.if ]
  ret i32 %common.ret.op

B102:                                             ; preds = %B380.i.thread, %states.known_step.exit.thread, %B380.i, %B118.i, %states.known_step.exit
  %storemerge.i3 = phi i64 [ %.344.i, %states.known_step.exit ], [ -1, %B118.i ], [ -1, %B380.i ], [ %10, %states.known_step.exit.thread ], [ -1, %B380.i.thread ]
  store i64 %storemerge.i3, ptr %retptr, align 8
  br label %common.ret

B144:                                             ; preds = %states.known_step.exit
  store ptr null, ptr %excinfo.1.i, align 8, !noalias !260
  %.116.i = getelementptr i8, ptr %0, i64 8
  %.117.i = load i64, ptr %.116.i, align 8, !noalias !260
  %.118.i = icmp eq i64 %.117.i, -2
  br i1 %.118.i, label %B94.i, label %B144.endif

B94.i:                                            ; preds = %B144
  %.129.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.130.i = load i64, ptr %.129.i, align 8, !noalias !260
  %.132.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.133.i = load i64, ptr %.132.i, align 8, !noalias !260
  %.139.i = inttoptr i64 %.130.i to ptr
  %.212.i = getelementptr i8, ptr %0, i64 16
  %.213.i = load i64, ptr %.212.i, align 8, !noalias !260
  %.226.i = icmp slt i64 %.213.i, 0
  %.227.i = select i1 %.226.i, i64 %.133.i, i64 0
  %11 = getelementptr i64, ptr %.139.i, i64 %.213.i
  %.241.i = getelementptr i64, ptr %11, i64 %.227.i
  %.242.i = load i64, ptr %.241.i, align 8, !noalias !260
  %.243.i = and i64 %.242.i, 4294967295
  store i64 0, ptr %.245.i, align 8, !noalias !260
  %.251.i = call fastcc i32 @states.state_of(ptr %.245.i, ptr %excinfo.1.i, ptr nonnull %arg.m.4, i64 %.243.i)
  %.253.not.i = icmp eq i32 %.251.i, 0
  %.261.i = load i64, ptr %.245.i, align 8, !noalias !260
  br i1 %.253.not.i, label %B94.endif.i, label %B144.if, !prof !4

B244.i:                                           ; preds = %B94.endif.i
  store i64 %.261.i, ptr %.116.i, align 8, !noalias !260
  br label %B144.endif

B94.endif.i:                                      ; preds = %B94.i
  %.279.i = icmp eq i64 %.261.i, -3
  br i1 %.279.i, label %B144.endif, label %B244.i

B214:                                             ; preds = %B380.i.thread
  store i64 0, ptr %.275, align 8
  call fastcc void @states.new_row(ptr %.275, ptr nonnull %arg.m.4, i64 %arg.state)
  %.291 = load i64, ptr %.275, align 8
  %.301 = icmp eq i64 %.291, -3
  br i1 %.301, label %B264, label %B214.B278_crit_edge

B214.B278_crit_edge:                              ; preds = %B214
  %.409.pre = load i64, ptr %0, align 8
  br label %B278

B264:                                             ; preds = %B214
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B278:                                             ; preds = %states.known_step.exit.thread, %B214.B278_crit_edge
  %.409 = phi i64 [ %.409.pre, %B214.B278_crit_edge ], [ %.175.i, %states.known_step.exit.thread ]
  %.321 = getelementptr i8, ptr %arg.m.4, i64 168
  %.322 = load i64, ptr %.321, align 8
  %.324 = getelementptr i8, ptr %arg.m.4, i64 184
  %.325 = load i64, ptr %.324, align 8
  %.331 = inttoptr i64 %.322 to ptr
  %.429 = icmp slt i64 %.409, 0
  %.430 = select i1 %.429, i64 %.325, i64 0
  %.431 = add i64 %.430, %.409
  %.450.idx = shl i64 %.431, 10
  %.450 = getelementptr i8, ptr %.331, i64 %.450.idx
  %12 = lshr i64 %arg.byte, 55
  %13 = and i64 %12, 256
  %14 = getelementptr i32, ptr %.450, i64 %arg.byte
  %.511 = getelementptr i32, ptr %14, i64 %13
  %.512 = load i32, ptr %.511, align 4
  %.514 = icmp slt i32 %.512, -1
  br i1 %.514, label %B392, label %B428

B392:                                             ; preds = %B278
  store ptr null, ptr %excinfo.2.i, align 8, !noalias !264
  store ptr null, ptr %excinfo.5.i, align 8, !noalias !264
  %.41.i = load i64, ptr %.29, align 8, !noalias !264
  %.44.i = load i64, ptr %.32, align 8, !noalias !264
  %.50.i = inttoptr i64 %.41.i to ptr
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !264
  %.85.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.86.i = load i64, ptr %.85.i, align 8, !noalias !264
  %.92.i329 = inttoptr i64 %.83.i to ptr
  %.120.i330 = getelementptr i8, ptr %arg.m.4, i64 192
  %.121.i = load i64, ptr %.120.i330, align 8, !noalias !264
  %.123.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.124.i = load i64, ptr %.123.i, align 8, !noalias !264
  %.130.i331 = inttoptr i64 %.121.i to ptr
  %.177.i = icmp slt i64 %arg.byte, 0
  %.178.i = select i1 %.177.i, i64 256, i64 0
  %.192.i = getelementptr i32, ptr %14, i64 %.178.i
  %.193.i = load i32, ptr %.192.i, align 4, !noalias !264
  %.199.i332 = icmp slt i32 %.193.i, -15
  br i1 %.199.i332, label %B168.i, label %B490.i

B168.i:                                           ; preds = %B392
  %.233.i = select i1 %.93.i, i64 %.44.i, i64 0
  %.234.i = add i64 %.233.i, %arg.state
  %.idx.i334 = shl i64 %.234.i, 6
  %15 = getelementptr i8, ptr %.50.i, i64 %.idx.i334
  %.258.i335 = getelementptr i8, ptr %15, i64 16
  %.259.i336 = load i64, ptr %.258.i335, align 8, !noalias !264
  %narrow.i = sub nuw nsw i32 -16, %.193.i
  %.262.i = zext i32 %narrow.i to i64
  %.265.i = add i64 %.259.i336, %.262.i
  %.279.i337 = icmp slt i64 %.265.i, 0
  %.280.i338 = select i1 %.279.i337, i64 %.86.i, i64 0
  %16 = getelementptr i64, ptr %.92.i329, i64 %.265.i
  %.294.i = getelementptr i64, ptr %16, i64 %.280.i338
  %.295.i = load i64, ptr %.294.i, align 8, !noalias !264
  store i64 0, ptr %.305.i, align 8, !noalias !264
  call fastcc void @leaves.after_leaf(ptr %.305.i, ptr nonnull %arg.m.4, i64 %.295.i, i64 %arg.byte)
  %.321.i = load i64, ptr %.305.i, align 8, !noalias !264
  %.337.i = icmp eq i64 %.321.i, -3
  br i1 %.337.i, label %B392.endif, label %B302.i

B302.i:                                           ; preds = %B168.i
  store i64 0, ptr %.348.i, align 8, !noalias !264
  %.354.i = call fastcc i32 @states.state_of(ptr %.348.i, ptr %excinfo.2.i, ptr nonnull %arg.m.4, i64 %.321.i)
  %.356.not.i = icmp eq i32 %.354.i, 0
  br i1 %.356.not.i, label %B332.i, label %B392.if, !prof !4

B332.i:                                           ; preds = %B302.i
  %.364.i = load i64, ptr %.348.i, align 8, !noalias !264
  %.386.i = icmp eq i64 %.364.i, -3
  br i1 %.386.i, label %B392.endif, label %B370.i

B370.i:                                           ; preds = %B332.i
  %.403.i = and i64 %.295.i, 4294967295
  %.407.not.i = icmp eq i64 %.321.i, %.403.i
  %17 = trunc i64 %.364.i to i32
  br i1 %.407.not.i, label %vector.ph60, label %B388.i

vector.ph60:                                      ; preds = %B370.i
  %broadcast.splatinsert61 = insertelement <4 x i32> poison, i32 %.193.i, i64 0
  %broadcast.splat62 = shufflevector <4 x i32> %broadcast.splatinsert61, <4 x i32> poison, <4 x i32> zeroinitializer
  %broadcast.splatinsert63 = insertelement <4 x i32> poison, i32 %17, i64 0
  %broadcast.splat64 = shufflevector <4 x i32> %broadcast.splatinsert63, <4 x i32> poison, <4 x i32> zeroinitializer
  br label %vector.body65

vector.body65:                                    ; preds = %vector.body65, %vector.ph60
  %index66 = phi i64 [ 0, %vector.ph60 ], [ %index.next69, %vector.body65 ]
  %18 = getelementptr i32, ptr %.450, i64 %index66
  %19 = getelementptr i8, ptr %18, i64 16
  %wide.load67 = load <4 x i32>, ptr %18, align 4, !noalias !264
  %wide.load68 = load <4 x i32>, ptr %19, align 4, !noalias !264
  %20 = icmp eq <4 x i32> %wide.load67, %broadcast.splat62
  %21 = icmp eq <4 x i32> %wide.load68, %broadcast.splat62
  %22 = select <4 x i1> %20, <4 x i32> %broadcast.splat64, <4 x i32> %wide.load67
  %23 = select <4 x i1> %21, <4 x i32> %broadcast.splat64, <4 x i32> %wide.load68
  store <4 x i32> %22, ptr %18, align 4, !noalias !264
  store <4 x i32> %23, ptr %19, align 4, !noalias !264
  %index.next69 = add nuw i64 %index66, 8
  %24 = icmp eq i64 %index.next69, 256
  br i1 %24, label %B392.endif, label %vector.body65, !llvm.loop !268

B388.i:                                           ; preds = %B370.i
  store i32 %17, ptr %.192.i, align 4, !noalias !264
  br label %B392.endif

B490.i:                                           ; preds = %B392
  %.708.i = getelementptr i8, ptr %arg.m.4, i64 264
  %.709.i = load i64, ptr %.708.i, align 8, !noalias !264
  %.711.i = getelementptr i8, ptr %arg.m.4, i64 280
  %.712.i = load i64, ptr %.711.i, align 8, !noalias !264
  %.718.i = inttoptr i64 %.709.i to ptr
  %.746.i = getelementptr i8, ptr %arg.m.4, i64 312
  %.747.i = load i64, ptr %.746.i, align 8, !noalias !264
  %.756.i = inttoptr i64 %.747.i to ptr
  %.810.i = select i1 %.93.i, i64 %.44.i, i64 0
  %.811.i = add i64 %.810.i, %arg.state
  %.idx9.i = shl i64 %.811.i, 6
  %25 = getelementptr i8, ptr %.50.i, i64 %.idx9.i
  %.835.i = getelementptr i8, ptr %25, i64 16
  %.836.i = load i64, ptr %.835.i, align 8, !noalias !264
  %.892.i = getelementptr i8, ptr %25, i64 24
  %.893.i = load i64, ptr %.892.i, align 8, !noalias !264
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 272
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !269
  %.51.i.i = add nsw i64 %.50.i.i, %.893.i
  %.84.not.i.i = icmp sgt i64 %.51.i.i, %.712.i
  br i1 %.84.not.i.i, label %B678.i, label %B722.if.i.preheader

B722.if.i.preheader:                              ; preds = %B490.i
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 1 dereferenceable(256) %.756.i, i8 1, i64 256, i1 false), !noalias !264
  %.120417.not.i = icmp slt i64 %.893.i, 1
  br i1 %.120417.not.i, label %B1340.i, label %B780.if.lr.ph.i

B678.i:                                           ; preds = %B490.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 33, ptr %.122.i.i, align 8, !noalias !269
  br label %B392.endif

B780.if.lr.ph.i:                                  ; preds = %B722.if.i.preheader
  %.1363.i = add i64 %arg.byte, 256
  %.1364.i = select i1 %.177.i, i64 %.1363.i, i64 %arg.byte
  %scevgep = getelementptr i8, ptr %.756.i, i64 256
  %scevgep3 = getelementptr i8, ptr %.130.i331, i64 256
  %scevgep9 = getelementptr i8, ptr %.130.i331, i64 256
  %broadcast.splatinsert = insertelement <2 x i64> poison, i64 %arg.byte, i64 0
  %broadcast.splat = shufflevector <2 x i64> %broadcast.splatinsert, <2 x i64> poison, <2 x i32> zeroinitializer
  %26 = getelementptr i8, ptr %.756.i, i64 16
  %27 = getelementptr i8, ptr %.756.i, i64 32
  %28 = getelementptr i8, ptr %.756.i, i64 48
  %29 = getelementptr i8, ptr %.756.i, i64 64
  %30 = getelementptr i8, ptr %.756.i, i64 80
  %31 = getelementptr i8, ptr %.756.i, i64 96
  %32 = getelementptr i8, ptr %.756.i, i64 112
  %33 = getelementptr i8, ptr %.756.i, i64 128
  %34 = getelementptr i8, ptr %.756.i, i64 144
  %35 = getelementptr i8, ptr %.756.i, i64 160
  %36 = getelementptr i8, ptr %.756.i, i64 176
  %37 = getelementptr i8, ptr %.756.i, i64 192
  %38 = getelementptr i8, ptr %.756.i, i64 208
  %39 = getelementptr i8, ptr %.756.i, i64 224
  %40 = getelementptr i8, ptr %.756.i, i64 240
  br label %B780.if.i

B834.i:                                           ; preds = %B780.if.i
  store i64 0, ptr %.1415.i, align 8, !noalias !264
  call fastcc void @leaves.after_leaf(ptr %.1415.i, ptr %arg.m.4, i64 %.1275.i, i64 %arg.byte)
  %.1431.i = load i64, ptr %.1415.i, align 8, !noalias !264
  %.1445.i = icmp eq i64 %.1431.i, -3
  br i1 %.1445.i, label %B392.endif, label %vector.memcheck8

vector.memcheck8:                                 ; preds = %B834.i
  %scevgep10 = getelementptr i8, ptr %scevgep9, i64 %.1314.i
  %41 = shl i64 %.1260.i, 3
  %scevgep12 = getelementptr i8, ptr %scevgep11, i64 %41
  %bound013 = icmp ugt ptr %scevgep10, %.756.i
  %bound114 = icmp ult ptr %.1316.i, %scevgep
  %found.conflict15 = and i1 %bound013, %bound114
  %bound016 = icmp ugt ptr %scevgep12, %.756.i
  %bound117 = icmp ult ptr %.1274.i, %scevgep
  %found.conflict18 = and i1 %bound016, %bound117
  %conflict.rdx = or i1 %found.conflict15, %found.conflict18
  br i1 %conflict.rdx, label %B950.if.i, label %vector.ph20

vector.ph20:                                      ; preds = %vector.memcheck8
  %42 = load i64, ptr %.1274.i, align 8, !alias.scope !272, !noalias !264
  %43 = and i64 %42, 4294967295
  %44 = icmp eq i64 %.1431.i, %43
  %broadcast.splatinsert27 = insertelement <2 x i1> poison, i1 %44, i64 0
  %broadcast.splat28 = shufflevector <2 x i1> %broadcast.splatinsert27, <2 x i1> poison, <2 x i32> zeroinitializer
  br label %vector.body21

vector.body21:                                    ; preds = %vector.body21, %vector.ph20
  %index22 = phi i64 [ 0, %vector.ph20 ], [ %index.next29, %vector.body21 ]
  %vec.ind = phi <2 x i64> [ <i64 0, i64 1>, %vector.ph20 ], [ %vec.ind.next, %vector.body21 ]
  %step.add = add <2 x i64> %vec.ind, <i64 2, i64 2>
  %45 = getelementptr i8, ptr %.756.i, i64 %index22
  %46 = getelementptr i8, ptr %45, i64 2
  %wide.load23 = load <2 x i8>, ptr %45, align 1, !alias.scope !275, !noalias !277
  %wide.load24 = load <2 x i8>, ptr %46, align 1, !alias.scope !275, !noalias !277
  %47 = getelementptr i8, ptr %.1316.i, i64 %index22
  %48 = getelementptr i8, ptr %47, i64 2
  %wide.load25 = load <2 x i8>, ptr %47, align 1, !alias.scope !279, !noalias !264
  %wide.load26 = load <2 x i8>, ptr %48, align 1, !alias.scope !279, !noalias !264
  %49 = icmp eq <2 x i64> %vec.ind, %broadcast.splat
  %50 = icmp eq <2 x i64> %step.add, %broadcast.splat
  %51 = or <2 x i1> %49, %broadcast.splat28
  %52 = or <2 x i1> %50, %broadcast.splat28
  %53 = and <2 x i8> %wide.load25, <i8 1, i8 1>
  %54 = and <2 x i8> %wide.load26, <i8 1, i8 1>
  %55 = select <2 x i1> %51, <2 x i8> %53, <2 x i8> zeroinitializer
  %56 = select <2 x i1> %52, <2 x i8> %54, <2 x i8> zeroinitializer
  %57 = and <2 x i8> %55, %wide.load23
  %58 = and <2 x i8> %56, %wide.load24
  store <2 x i8> %57, ptr %45, align 1, !alias.scope !275, !noalias !277
  store <2 x i8> %58, ptr %46, align 1, !alias.scope !275, !noalias !277
  %index.next29 = add nuw i64 %index22, 4
  %vec.ind.next = add <2 x i64> %vec.ind, <i64 4, i64 4>
  %59 = icmp eq i64 %index.next29, 256
  br i1 %59, label %B1098.i, label %vector.body21, !llvm.loop !280

B1098.i:                                          ; preds = %vector.body21, %B950.if.i
  %.1752.i = icmp slt i64 %found.2.020.i, 0
  %.1753.i = select i1 %.1752.i, i64 %.712.i, i64 0
  %60 = getelementptr i64, ptr %.718.i, i64 %found.2.020.i
  %.1767.i = getelementptr i64, ptr %60, i64 %.1753.i
  store i64 %.1431.i, ptr %.1767.i, align 8, !noalias !264
  %.1772.i = add nsw i64 %found.2.020.i, 1
  br label %B1403.i

B1208.i:                                          ; preds = %B1403.i
  %.2019.i = icmp sgt i64 %found.3.1.i, 0
  br i1 %.2019.i, label %B1220.i, label %B1340.i

B1220.i:                                          ; preds = %B1208.i
  store i64 0, ptr %.2026.i, align 8, !noalias !264
  %.2032.i = call fastcc i32 @states.join(ptr %.2026.i, ptr %excinfo.5.i, ptr %arg.m.4, i64 %found.3.1.i)
  %.2034.not.i = icmp eq i32 %.2032.i, 0
  br i1 %.2034.not.i, label %B1316.i, label %B392.if, !prof !4

B1316.i:                                          ; preds = %B1220.i
  %.2042.i = load i64, ptr %.2026.i, align 8, !noalias !264
  %.2072.not.i = icmp eq i64 %.2042.i, -3
  br i1 %.2072.not.i, label %B392.endif, label %B1340.i

B1340.i:                                          ; preds = %B1316.i, %B1208.i, %B722.if.i.preheader
  %"$phi1316.0.2.07.i" = phi i64 [ %.2042.i, %B1316.i ], [ -1, %B1208.i ], [ -1, %B722.if.i.preheader ]
  %.2258.i = trunc i64 %"$phi1316.0.2.07.i" to i32
  %61 = getelementptr i8, ptr %.331, i64 %.450.idx
  %scevgep32 = getelementptr i8, ptr %61, i64 1024
  %scevgep33 = getelementptr i8, ptr %.756.i, i64 256
  %bound034 = icmp ult ptr %.450, %scevgep33
  %bound135 = icmp ugt ptr %scevgep32, %.756.i
  %found.conflict36 = and i1 %bound034, %bound135
  br i1 %found.conflict36, label %B1370.if.i, label %vector.body39

vector.body39:                                    ; preds = %B1340.i, %pred.store.continue56
  %index40 = phi i64 [ %index.next57, %pred.store.continue56 ], [ 0, %B1340.i ]
  %62 = getelementptr i8, ptr %.756.i, i64 %index40
  %63 = getelementptr i8, ptr %62, i64 4
  %wide.load41 = load <4 x i8>, ptr %62, align 1, !alias.scope !281, !noalias !264
  %wide.load42 = load <4 x i8>, ptr %63, align 1, !alias.scope !281, !noalias !264
  %64 = icmp ne <4 x i8> %wide.load41, zeroinitializer
  %65 = icmp ne <4 x i8> %wide.load42, zeroinitializer
  %66 = extractelement <4 x i1> %64, i64 0
  br i1 %66, label %pred.store.if, label %pred.store.continue

pred.store.if:                                    ; preds = %vector.body39
  %67 = getelementptr i32, ptr %.450, i64 %index40
  store i32 %.2258.i, ptr %67, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue

pred.store.continue:                              ; preds = %pred.store.if, %vector.body39
  %68 = extractelement <4 x i1> %64, i64 1
  br i1 %68, label %pred.store.if43, label %pred.store.continue44

pred.store.if43:                                  ; preds = %pred.store.continue
  %69 = getelementptr i32, ptr %.450, i64 %index40
  %70 = getelementptr i8, ptr %69, i64 4
  store i32 %.2258.i, ptr %70, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue44

pred.store.continue44:                            ; preds = %pred.store.if43, %pred.store.continue
  %71 = extractelement <4 x i1> %64, i64 2
  br i1 %71, label %pred.store.if45, label %pred.store.continue46

pred.store.if45:                                  ; preds = %pred.store.continue44
  %72 = getelementptr i32, ptr %.450, i64 %index40
  %73 = getelementptr i8, ptr %72, i64 8
  store i32 %.2258.i, ptr %73, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue46

pred.store.continue46:                            ; preds = %pred.store.if45, %pred.store.continue44
  %74 = extractelement <4 x i1> %64, i64 3
  br i1 %74, label %pred.store.if47, label %pred.store.continue48

pred.store.if47:                                  ; preds = %pred.store.continue46
  %75 = getelementptr i32, ptr %.450, i64 %index40
  %76 = getelementptr i8, ptr %75, i64 12
  store i32 %.2258.i, ptr %76, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue48

pred.store.continue48:                            ; preds = %pred.store.if47, %pred.store.continue46
  %77 = extractelement <4 x i1> %65, i64 0
  br i1 %77, label %pred.store.if49, label %pred.store.continue50

pred.store.if49:                                  ; preds = %pred.store.continue48
  %78 = getelementptr i32, ptr %.450, i64 %index40
  %79 = getelementptr i8, ptr %78, i64 16
  store i32 %.2258.i, ptr %79, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue50

pred.store.continue50:                            ; preds = %pred.store.if49, %pred.store.continue48
  %80 = extractelement <4 x i1> %65, i64 1
  br i1 %80, label %pred.store.if51, label %pred.store.continue52

pred.store.if51:                                  ; preds = %pred.store.continue50
  %81 = getelementptr i32, ptr %.450, i64 %index40
  %82 = getelementptr i8, ptr %81, i64 20
  store i32 %.2258.i, ptr %82, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue52

pred.store.continue52:                            ; preds = %pred.store.if51, %pred.store.continue50
  %83 = extractelement <4 x i1> %65, i64 2
  br i1 %83, label %pred.store.if53, label %pred.store.continue54

pred.store.if53:                                  ; preds = %pred.store.continue52
  %84 = getelementptr i32, ptr %.450, i64 %index40
  %85 = getelementptr i8, ptr %84, i64 24
  store i32 %.2258.i, ptr %85, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue54

pred.store.continue54:                            ; preds = %pred.store.if53, %pred.store.continue52
  %86 = extractelement <4 x i1> %65, i64 3
  br i1 %86, label %pred.store.if55, label %pred.store.continue56

pred.store.if55:                                  ; preds = %pred.store.continue54
  %87 = getelementptr i32, ptr %.450, i64 %index40
  %88 = getelementptr i8, ptr %87, i64 28
  store i32 %.2258.i, ptr %88, align 4, !alias.scope !284, !noalias !286
  br label %pred.store.continue56

pred.store.continue56:                            ; preds = %pred.store.if55, %pred.store.continue54
  %index.next57 = add nuw i64 %index40, 8
  %89 = icmp eq i64 %index.next57, 256
  br i1 %89, label %B392.endif, label %vector.body39, !llvm.loop !287

B1390.i:                                          ; preds = %B1370.if.i
  %90 = getelementptr i32, ptr %.450, i64 %.2097.021.i
  store i32 %.2258.i, ptr %90, align 4, !noalias !264
  br label %B1400.i

B1400.i:                                          ; preds = %B1370.if.i, %B1390.i
  %.2166.i.1 = add nuw nsw i64 %.2097.021.i, 2
  %91 = getelementptr i8, ptr %.756.i, i64 %.2166.i
  %.2224.i.1 = load i8, ptr %91, align 1, !noalias !264
  %.2225.not.i.1 = icmp eq i8 %.2224.i.1, 0
  br i1 %.2225.not.i.1, label %B1400.i.1, label %B1390.i.1

B1390.i.1:                                        ; preds = %B1400.i
  %92 = getelementptr i32, ptr %.450, i64 %.2166.i
  store i32 %.2258.i, ptr %92, align 4, !noalias !264
  br label %B1400.i.1

B1400.i.1:                                        ; preds = %B1390.i.1, %B1400.i
  %exitcond27.not.i.1 = icmp eq i64 %.2166.i.1, 256
  br i1 %exitcond27.not.i.1, label %B392.endif, label %B1370.if.i, !llvm.loop !288

B1403.i:                                          ; preds = %B1150.if.i, %vector.body, %B1098.i
  %found.3.1.i = phi i64 [ %.1772.i, %B1098.i ], [ %found.2.020.i, %vector.body ], [ %found.2.020.i, %B1150.if.i ]
  %.1204.i = icmp ugt i64 %.1151.019.i, 1
  %indvar.next = add i64 %indvar, 1
  br i1 %.1204.i, label %B780.if.i, label %B1208.i

B780.if.i:                                        ; preds = %B1403.i, %B780.if.lr.ph.i
  %indvar = phi i64 [ %indvar.next, %B1403.i ], [ 0, %B780.if.lr.ph.i ]
  %found.2.020.i = phi i64 [ %found.3.1.i, %B1403.i ], [ 0, %B780.if.lr.ph.i ]
  %.1151.019.i = phi i64 [ %.1213.i, %B1403.i ], [ %.893.i, %B780.if.lr.ph.i ]
  %.1148.018.i = phi i64 [ %.1217.i, %B1403.i ], [ %.836.i, %B780.if.lr.ph.i ]
  %93 = add i64 %.836.i, %indvar
  %94 = shl i64 %93, 3
  %95 = getelementptr i8, ptr %.92.i329, i64 %94
  %scevgep11 = getelementptr i8, ptr %95, i64 8
  %.1213.i = add nsw i64 %.1151.019.i, -1
  %.1217.i = add i64 %.1148.018.i, 1
  %.1259.i = icmp slt i64 %.1148.018.i, 0
  %.1260.i = select i1 %.1259.i, i64 %.86.i, i64 0
  %96 = getelementptr i64, ptr %.92.i329, i64 %.1148.018.i
  %.1274.i = getelementptr i64, ptr %96, i64 %.1260.i
  %.1275.i = load i64, ptr %.1274.i, align 8, !noalias !264
  %.1276.i = ashr i64 %.1275.i, 32
  %.1295.i = icmp slt i64 %.1276.i, 0
  %.1296.i = select i1 %.1295.i, i64 %.124.i, i64 0
  %.1297.i = add i64 %.1296.i, %.1276.i
  %.1314.i = shl i64 %.1297.i, 8
  %.1316.i = getelementptr i8, ptr %.130.i331, i64 %.1314.i
  %.1377.i = getelementptr i8, ptr %.1316.i, i64 %.1364.i
  %.1378.i = load i8, ptr %.1377.i, align 1, !noalias !264
  %.1379.not.i = icmp eq i8 %.1378.i, 0
  br i1 %.1379.not.i, label %vector.memcheck, label %B834.i

vector.memcheck:                                  ; preds = %B780.if.i
  %scevgep4 = getelementptr i8, ptr %scevgep3, i64 %.1314.i
  %bound0 = icmp ugt ptr %scevgep4, %.756.i
  %bound1 = icmp ult ptr %.1316.i, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %B1150.if.i, label %vector.body

vector.body:                                      ; preds = %vector.memcheck
  %wide.load = load <16 x i8>, ptr %.756.i, align 1, !alias.scope !289, !noalias !292
  %wide.load5 = load <16 x i8>, ptr %26, align 1, !alias.scope !289, !noalias !292
  %97 = getelementptr i8, ptr %.1316.i, i64 16
  %wide.load6 = load <16 x i8>, ptr %.1316.i, align 1, !alias.scope !294, !noalias !264
  %wide.load7 = load <16 x i8>, ptr %97, align 1, !alias.scope !294, !noalias !264
  %98 = xor <16 x i8> %wide.load6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %99 = xor <16 x i8> %wide.load7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %100 = and <16 x i8> %98, %wide.load
  %101 = and <16 x i8> %99, %wide.load5
  store <16 x i8> %100, ptr %.756.i, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %101, ptr %26, align 1, !alias.scope !289, !noalias !292
  %wide.load.1 = load <16 x i8>, ptr %27, align 1, !alias.scope !289, !noalias !292
  %wide.load5.1 = load <16 x i8>, ptr %28, align 1, !alias.scope !289, !noalias !292
  %102 = getelementptr i8, ptr %.1316.i, i64 32
  %103 = getelementptr i8, ptr %.1316.i, i64 48
  %wide.load6.1 = load <16 x i8>, ptr %102, align 1, !alias.scope !294, !noalias !264
  %wide.load7.1 = load <16 x i8>, ptr %103, align 1, !alias.scope !294, !noalias !264
  %104 = xor <16 x i8> %wide.load6.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %105 = xor <16 x i8> %wide.load7.1, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %106 = and <16 x i8> %104, %wide.load.1
  %107 = and <16 x i8> %105, %wide.load5.1
  store <16 x i8> %106, ptr %27, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %107, ptr %28, align 1, !alias.scope !289, !noalias !292
  %wide.load.2 = load <16 x i8>, ptr %29, align 1, !alias.scope !289, !noalias !292
  %wide.load5.2 = load <16 x i8>, ptr %30, align 1, !alias.scope !289, !noalias !292
  %108 = getelementptr i8, ptr %.1316.i, i64 64
  %109 = getelementptr i8, ptr %.1316.i, i64 80
  %wide.load6.2 = load <16 x i8>, ptr %108, align 1, !alias.scope !294, !noalias !264
  %wide.load7.2 = load <16 x i8>, ptr %109, align 1, !alias.scope !294, !noalias !264
  %110 = xor <16 x i8> %wide.load6.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %111 = xor <16 x i8> %wide.load7.2, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %112 = and <16 x i8> %110, %wide.load.2
  %113 = and <16 x i8> %111, %wide.load5.2
  store <16 x i8> %112, ptr %29, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %113, ptr %30, align 1, !alias.scope !289, !noalias !292
  %wide.load.3 = load <16 x i8>, ptr %31, align 1, !alias.scope !289, !noalias !292
  %wide.load5.3 = load <16 x i8>, ptr %32, align 1, !alias.scope !289, !noalias !292
  %114 = getelementptr i8, ptr %.1316.i, i64 96
  %115 = getelementptr i8, ptr %.1316.i, i64 112
  %wide.load6.3 = load <16 x i8>, ptr %114, align 1, !alias.scope !294, !noalias !264
  %wide.load7.3 = load <16 x i8>, ptr %115, align 1, !alias.scope !294, !noalias !264
  %116 = xor <16 x i8> %wide.load6.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %117 = xor <16 x i8> %wide.load7.3, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %118 = and <16 x i8> %116, %wide.load.3
  %119 = and <16 x i8> %117, %wide.load5.3
  store <16 x i8> %118, ptr %31, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %119, ptr %32, align 1, !alias.scope !289, !noalias !292
  %wide.load.4 = load <16 x i8>, ptr %33, align 1, !alias.scope !289, !noalias !292
  %wide.load5.4 = load <16 x i8>, ptr %34, align 1, !alias.scope !289, !noalias !292
  %120 = getelementptr i8, ptr %.1316.i, i64 128
  %121 = getelementptr i8, ptr %.1316.i, i64 144
  %wide.load6.4 = load <16 x i8>, ptr %120, align 1, !alias.scope !294, !noalias !264
  %wide.load7.4 = load <16 x i8>, ptr %121, align 1, !alias.scope !294, !noalias !264
  %122 = xor <16 x i8> %wide.load6.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %123 = xor <16 x i8> %wide.load7.4, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %124 = and <16 x i8> %122, %wide.load.4
  %125 = and <16 x i8> %123, %wide.load5.4
  store <16 x i8> %124, ptr %33, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %125, ptr %34, align 1, !alias.scope !289, !noalias !292
  %wide.load.5 = load <16 x i8>, ptr %35, align 1, !alias.scope !289, !noalias !292
  %wide.load5.5 = load <16 x i8>, ptr %36, align 1, !alias.scope !289, !noalias !292
  %126 = getelementptr i8, ptr %.1316.i, i64 160
  %127 = getelementptr i8, ptr %.1316.i, i64 176
  %wide.load6.5 = load <16 x i8>, ptr %126, align 1, !alias.scope !294, !noalias !264
  %wide.load7.5 = load <16 x i8>, ptr %127, align 1, !alias.scope !294, !noalias !264
  %128 = xor <16 x i8> %wide.load6.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %129 = xor <16 x i8> %wide.load7.5, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %130 = and <16 x i8> %128, %wide.load.5
  %131 = and <16 x i8> %129, %wide.load5.5
  store <16 x i8> %130, ptr %35, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %131, ptr %36, align 1, !alias.scope !289, !noalias !292
  %wide.load.6 = load <16 x i8>, ptr %37, align 1, !alias.scope !289, !noalias !292
  %wide.load5.6 = load <16 x i8>, ptr %38, align 1, !alias.scope !289, !noalias !292
  %132 = getelementptr i8, ptr %.1316.i, i64 192
  %133 = getelementptr i8, ptr %.1316.i, i64 208
  %wide.load6.6 = load <16 x i8>, ptr %132, align 1, !alias.scope !294, !noalias !264
  %wide.load7.6 = load <16 x i8>, ptr %133, align 1, !alias.scope !294, !noalias !264
  %134 = xor <16 x i8> %wide.load6.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %135 = xor <16 x i8> %wide.load7.6, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %136 = and <16 x i8> %134, %wide.load.6
  %137 = and <16 x i8> %135, %wide.load5.6
  store <16 x i8> %136, ptr %37, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %137, ptr %38, align 1, !alias.scope !289, !noalias !292
  %wide.load.7 = load <16 x i8>, ptr %39, align 1, !alias.scope !289, !noalias !292
  %wide.load5.7 = load <16 x i8>, ptr %40, align 1, !alias.scope !289, !noalias !292
  %138 = getelementptr i8, ptr %.1316.i, i64 224
  %139 = getelementptr i8, ptr %.1316.i, i64 240
  %wide.load6.7 = load <16 x i8>, ptr %138, align 1, !alias.scope !294, !noalias !264
  %wide.load7.7 = load <16 x i8>, ptr %139, align 1, !alias.scope !294, !noalias !264
  %140 = xor <16 x i8> %wide.load6.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %141 = xor <16 x i8> %wide.load7.7, <i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1>
  %142 = and <16 x i8> %140, %wide.load.7
  %143 = and <16 x i8> %141, %wide.load5.7
  store <16 x i8> %142, ptr %39, align 1, !alias.scope !289, !noalias !292
  store <16 x i8> %143, ptr %40, align 1, !alias.scope !289, !noalias !292
  br label %B1403.i

B950.if.i:                                        ; preds = %vector.memcheck8, %B950.if.i
  %.1496.013.i = phi i64 [ %.1565.i.1, %B950.if.i ], [ 0, %vector.memcheck8 ]
  %.1565.i = or i64 %.1496.013.i, 1
  %144 = getelementptr i8, ptr %.756.i, i64 %.1496.013.i
  %.1619.i = load i8, ptr %144, align 1, !noalias !264
  %.1648.i = getelementptr i8, ptr %.1316.i, i64 %.1496.013.i
  %.1649.i = load i8, ptr %.1648.i, align 1, !noalias !264
  %.1680.i = load i64, ptr %.1274.i, align 8, !noalias !264
  %.1681.i = and i64 %.1680.i, 4294967295
  %.1683.i = icmp eq i64 %.1431.i, %.1681.i
  %.1687.i = icmp eq i64 %.1496.013.i, %arg.byte
  %.16921121.i = or i1 %.1687.i, %.1683.i
  %145 = and i8 %.1649.i, 1
  %.1694.i = select i1 %.16921121.i, i8 %145, i8 0
  %.1696.i = and i8 %.1694.i, %.1619.i
  store i8 %.1696.i, ptr %144, align 1, !noalias !264
  %.1565.i.1 = add nuw nsw i64 %.1496.013.i, 2
  %146 = getelementptr i8, ptr %.756.i, i64 %.1565.i
  %.1619.i.1 = load i8, ptr %146, align 1, !noalias !264
  %.1648.i.1 = getelementptr i8, ptr %.1316.i, i64 %.1565.i
  %.1649.i.1 = load i8, ptr %.1648.i.1, align 1, !noalias !264
  %.1680.i.1 = load i64, ptr %.1274.i, align 8, !noalias !264
  %.1681.i.1 = and i64 %.1680.i.1, 4294967295
  %.1683.i.1 = icmp eq i64 %.1431.i, %.1681.i.1
  %.1687.i.1 = icmp eq i64 %.1565.i, %arg.byte
  %.16921121.i.1 = or i1 %.1687.i.1, %.1683.i.1
  %147 = and i8 %.1649.i.1, 1
  %.1694.i.1 = select i1 %.16921121.i.1, i8 %147, i8 0
  %.1696.i.1 = and i8 %.1694.i.1, %.1619.i.1
  store i8 %.1696.i.1, ptr %146, align 1, !noalias !264
  %exitcond25.not.i.1 = icmp eq i64 %.1565.i.1, 256
  br i1 %exitcond25.not.i.1, label %B1098.i, label %B950.if.i, !llvm.loop !295

B1150.if.i:                                       ; preds = %vector.memcheck, %B1150.if.i
  %.1804.015.i = phi i64 [ %.1873.i.1, %B1150.if.i ], [ 0, %vector.memcheck ]
  %.1873.i = or i64 %.1804.015.i, 1
  %148 = getelementptr i8, ptr %.756.i, i64 %.1804.015.i
  %.1927.i = load i8, ptr %148, align 1, !noalias !264
  %.1956.i = getelementptr i8, ptr %.1316.i, i64 %.1804.015.i
  %.1957.i = load i8, ptr %.1956.i, align 1, !noalias !264
  %149 = xor i8 %.1957.i, 1
  %.19611120.i = and i8 %149, %.1927.i
  store i8 %.19611120.i, ptr %148, align 1, !noalias !264
  %.1873.i.1 = add nuw nsw i64 %.1804.015.i, 2
  %150 = getelementptr i8, ptr %.756.i, i64 %.1873.i
  %.1927.i.1 = load i8, ptr %150, align 1, !noalias !264
  %.1956.i.1 = getelementptr i8, ptr %.1316.i, i64 %.1873.i
  %.1957.i.1 = load i8, ptr %.1956.i.1, align 1, !noalias !264
  %151 = xor i8 %.1957.i.1, 1
  %.19611120.i.1 = and i8 %151, %.1927.i.1
  store i8 %.19611120.i.1, ptr %150, align 1, !noalias !264
  %exitcond26.not.i.1 = icmp eq i64 %.1873.i.1, 256
  br i1 %exitcond26.not.i.1, label %B1403.i, label %B1150.if.i, !llvm.loop !296

B1370.if.i:                                       ; preds = %B1340.i, %B1400.i.1
  %.2097.021.i = phi i64 [ %.2166.i.1, %B1400.i.1 ], [ 0, %B1340.i ]
  %.2166.i = or i64 %.2097.021.i, 1
  %152 = getelementptr i8, ptr %.756.i, i64 %.2097.021.i
  %.2224.i = load i8, ptr %152, align 1, !noalias !264
  %.2225.not.i = icmp eq i8 %.2224.i, 0
  br i1 %.2225.not.i, label %B1400.i, label %B1390.i

B428:                                             ; preds = %B278
  %.513 = sext i32 %.512 to i64
  br label %B468

B468:                                             ; preds = %B392.endif, %B428
  %"$phi468.0.2.0" = phi i64 [ %.521.0.ph, %B392.endif ], [ %.513, %B428 ]
  store i64 %"$phi468.0.2.0", ptr %retptr, align 8
  br label %common.ret

B144.if:                                          ; preds = %B94.i
  %.252.i = load ptr, ptr %excinfo.1.i, align 8, !noalias !260
  store ptr %.252.i, ptr %excinfo, align 8
  br label %common.ret

B144.endif:                                       ; preds = %B94.endif.i, %B244.i, %B144
  %.183.0.ph = phi i64 [ %.117.i, %B144 ], [ %.261.i, %B244.i ], [ -3, %B94.endif.i ]
  store i64 %.183.0.ph, ptr %retptr, align 8
  br label %common.ret

B392.if:                                          ; preds = %B1220.i, %B302.i
  %excinfo.4.0.in = phi ptr [ %excinfo.2.i, %B302.i ], [ %excinfo.5.i, %B1220.i ]
  %excinfo.4.0 = load ptr, ptr %excinfo.4.0.in, align 8, !noalias !264
  store ptr %excinfo.4.0, ptr %excinfo, align 8
  br label %common.ret

B392.endif:                                       ; preds = %B834.i, %pred.store.continue56, %B1400.i.1, %vector.body65, %B168.i, %B678.i, %B388.i, %B332.i, %B1316.i
  %.521.0.ph = phi i64 [ %.364.i, %vector.body65 ], [ -3, %B1316.i ], [ %.364.i, %B388.i ], [ -3, %B332.i ], [ %"$phi1316.0.2.07.i", %B1400.i.1 ], [ -3, %B678.i ], [ -3, %B168.i ], [ %"$phi1316.0.2.07.i", %pred.store.continue56 ], [ -3, %B834.i ]
  br label %B468
}

define internal fastcc void @leaves.after_leaf(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.leaf, i64 %arg.byte) unnamed_addr {
entry:
  %.673 = alloca i64, align 8
  %.19 = and i64 %arg.leaf, 4294967295
  %.19.not.i = icmp eq i64 %.19, 0
  br i1 %.19.not.i, label %common.ret, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %entry
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !297
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !297
  %.42.i = inttoptr i64 %.33.i to ptr
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 48
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !297
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.19, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !297
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !297
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B50, label %common.ret

common.ret:                                       ; preds = %entry, %leaves.is_split.exit, %B362
  %storemerge = phi i64 [ %.689, %B362 ], [ %.19, %leaves.is_split.exit ], [ 0, %entry ]
  store i64 %storemerge, ptr %retptr, align 8
  ret void

B50:                                              ; preds = %leaves.is_split.exit
  %.81 = getelementptr i8, ptr %arg.m.4, i64 24
  %.82 = load i64, ptr %.81, align 8
  %.84 = getelementptr i8, ptr %arg.m.4, i64 40
  %.85 = load i64, ptr %.84, align 8
  %.91 = inttoptr i64 %.82 to ptr
  %.119 = getelementptr i8, ptr %arg.m.4, i64 192
  %.120 = load i64, ptr %.119, align 8
  %.122 = getelementptr i8, ptr %arg.m.4, i64 208
  %.123 = load i64, ptr %.122, align 8
  %.129 = inttoptr i64 %.120 to ptr
  %.348 = getelementptr i8, ptr %.217.i, i64 8
  %.349 = load i64, ptr %.348, align 8
  %.350 = add nsw i64 %.349, 1
  %.370 = icmp slt i64 %.349, -1
  %.371 = select i1 %.370, i64 %.85, i64 0
  %0 = getelementptr i64, ptr %.91, i64 %.350
  %.385 = getelementptr i64, ptr %0, i64 %.371
  %.386 = load i64, ptr %.385, align 8
  %.410 = icmp slt i64 %.386, 0
  %.411 = select i1 %.410, i64 %.123, i64 0
  %.412 = add i64 %.411, %.386
  %1 = lshr i64 %arg.byte, 55
  %2 = and i64 %1, 256
  %.415 = add i64 %2, %arg.byte
  %.432 = shl i64 %.412, 8
  %3 = getelementptr i8, ptr %.129, i64 %.432
  %.436 = getelementptr i8, ptr %3, i64 %.415
  %.437 = load i8, ptr %.436, align 1
  %.439 = icmp eq i8 %.437, 0
  br i1 %.439, label %B312.preheader, label %B362

B312.preheader:                                   ; preds = %B50
  %invariant.gep = getelementptr i8, ptr %.129, i64 %.415
  br label %B312

B312:                                             ; preds = %B312.preheader, %B312
  %at.2.0 = phi i64 [ %.442, %B312 ], [ %.350, %B312.preheader ]
  %.442 = add nsw i64 %at.2.0, 2
  %.460 = icmp slt i64 %at.2.0, -2
  %.461 = select i1 %.460, i64 %.85, i64 0
  %4 = getelementptr i64, ptr %.91, i64 %.442
  %.475 = getelementptr i64, ptr %4, i64 %.461
  %.476 = load i64, ptr %.475, align 8
  %.500 = icmp slt i64 %.476, 0
  %.501 = select i1 %.500, i64 %.123, i64 0
  %.502 = add i64 %.501, %.476
  %.522 = shl i64 %.502, 8
  %gep = getelementptr i8, ptr %invariant.gep, i64 %.522
  %.527 = load i8, ptr %gep, align 1
  %.529 = icmp eq i8 %.527, 0
  br i1 %.529, label %B312, label %B362

B362:                                             ; preds = %B312, %B50
  %at.3.1 = phi i64 [ %.350, %B50 ], [ %.442, %B312 ]
  %.555 = icmp slt i64 %at.3.1, -1
  %.556 = select i1 %.555, i64 %.85, i64 0
  %5 = getelementptr i64, ptr %.91, i64 %at.3.1
  %6 = getelementptr i8, ptr %5, i64 8
  %.570 = getelementptr i64, ptr %6, i64 %.556
  %.571 = load i64, ptr %.570, align 8
  %.670 = getelementptr i8, ptr %.164.i, i64 8
  %.671 = load i64, ptr %.670, align 8
  store i64 0, ptr %.673, align 8
  call fastcc void @terms.push(ptr %.673, ptr nonnull %arg.m.4, i64 %.571, i64 %.671)
  %.689 = load i64, ptr %.673, align 8
  br label %common.ret
}

define internal fastcc i32 @states.join(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.found) unnamed_addr {
entry:
  %.239 = alloca i64, align 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %.445 = alloca i64, align 8
  %.1404 = alloca i64, align 8
  store i64 0, ptr %.1404, align 8
  %.1460 = alloca i64, align 8
  store i64 0, ptr %.1460, align 8
  %.2037 = alloca i64, align 8
  store i64 0, ptr %.2037, align 8
  %.2125 = alloca i64, align 8
  store i64 0, ptr %.2125, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 48
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 64
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 264
  %.69 = load i64, ptr %.68, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.106 = getelementptr i8, ptr %arg.m.4, i64 96
  %.107 = load i64, ptr %.106, align 8
  %.109 = getelementptr i8, ptr %arg.m.4, i64 112
  %.110 = load i64, ptr %.109, align 8
  %.116 = inttoptr i64 %.107 to ptr
  %.144 = getelementptr i8, ptr %arg.m.4, i64 288
  %.145 = load i64, ptr %.144, align 8
  %.147 = getelementptr i8, ptr %arg.m.4, i64 304
  %.148 = load i64, ptr %.147, align 8
  %.154 = inttoptr i64 %.145 to ptr
  %.195 = icmp eq i64 %arg.found, 1
  br i1 %.195, label %B190, label %B234

B190:                                             ; preds = %entry
  %.235 = load i64, ptr %.78, align 8
  store i64 0, ptr %.239, align 8
  %.245 = call fastcc i32 @states.state_of(ptr %.239, ptr %excinfo.1, ptr nonnull %arg.m.4, i64 %.235)
  %.247.not = icmp eq i32 %.245, 0
  br i1 %.247.not, label %B190.endif, label %B190.if, !prof !4

B234:                                             ; preds = %entry
  %.37117.not = icmp slt i64 %arg.found, 1
  br i1 %.37117.not, label %B684.thread, label %B390.if

common.ret:                                       ; preds = %B392.if, %B190.if, %B190.endif, %B1750, %B1098, %B728, %B456
  %common.ret.op = phi i32 [ 0, %B456 ], [ 0, %B728 ], [ 0, %B1098 ], [ 0, %B1750 ], [ 0, %B190.endif ], [ 1, %B392.if ], [ 1, %B190.if ]
  ret i32 %common.ret.op

B456:                                             ; preds = %B392.endif
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B474:                                             ; preds = %B392.endif
  %.529 = load i64, ptr %12, align 8
  %.556 = icmp slt i64 %.529, 0
  %.557 = select i1 %.556, i64 %.30, i64 0
  %.558 = add i64 %.557, %.529
  %.idx8 = shl i64 %.558, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx8
  %.582 = getelementptr i8, ptr %0, i64 24
  %.583 = load i64, ptr %.582, align 8
  %.585 = add nsw i64 %.583, %total.6.020
  %.673 = getelementptr i8, ptr %0, i64 32
  %.674 = load i64, ptr %.673, align 8
  %.675 = and i64 %.674, 1
  %.677 = or i64 %.675, %nullable.2.021
  %.680 = and i64 %.674, 4
  %.682 = or i64 %.680, %some.2.022
  %.686 = and i64 %.674, 12
  %.687.not = icmp eq i64 %.686, 0
  %.691 = select i1 %.687.not, i64 0, i64 %quoted.2.023
  %exitcond.not = icmp eq i64 %arg.found, %.384
  br i1 %exitcond.not, label %B684, label %B390.if

B684:                                             ; preds = %B474
  %.83.i.pre = load i64, ptr %.147, align 8, !noalias !300
  %1 = icmp eq i64 %.682, 0
  %2 = icmp eq i64 %.691, 0
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !300
  %.51.i = add nsw i64 %.50.i, %.585
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i.pre
  br i1 %.84.not.i, label %B728, label %B776.if

B684.thread:                                      ; preds = %B234
  %.49.i51 = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i52 = load i64, ptr %.49.i51, align 8, !noalias !300
  %.84.not.i54 = icmp sgt i64 %.50.i52, %.148
  br i1 %.84.not.i54, label %B728, label %B938

B728:                                             ; preds = %B684.thread, %B684
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 36, ptr %.122.i, align 8, !noalias !300
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B776.loopexit:                                    ; preds = %B898.if.prol.loopexit, %B898.if, %B776.if
  %total.7.1.lcssa = phi i64 [ %total.8.035, %B776.if ], [ %15, %B898.if ], [ %15, %B898.if.prol.loopexit ]
  %exitcond43.not = icmp eq i64 %arg.found, %.856
  br i1 %exitcond43.not, label %B938, label %B776.if

B938:                                             ; preds = %B776.loopexit, %B684.thread
  %nullable.2.0.lcssa5563 = phi i64 [ 0, %B684.thread ], [ %.677, %B776.loopexit ]
  %some.2.0.lcssa5662 = phi i1 [ true, %B684.thread ], [ %1, %B776.loopexit ]
  %quoted.2.0.lcssa5761 = phi i1 [ false, %B684.thread ], [ %2, %B776.loopexit ]
  %total.8.0.lcssa = phi i64 [ 0, %B684.thread ], [ %total.7.1.lcssa, %B776.loopexit ]
  %.43.i = sdiv i64 %total.8.0.lcssa, 9
  %.44.i = srem i64 %total.8.0.lcssa, 9
  %.44.lobit.i = ashr i64 %.44.i, 63
  %.32.0.i = add nsw i64 %.44.lobit.i, %.43.i
  %.65.i = icmp sgt i64 %.32.0.i, 1
  br i1 %.65.i, label %B26.i, label %B72.i.preheader

B26.i:                                            ; preds = %B938, %B26.i
  %gap.3.0.i = phi i64 [ %.69.i, %B26.i ], [ 1, %B938 ]
  %.68.i = mul nsw i64 %gap.3.0.i, 3
  %.69.i = add nsw i64 %.68.i, 1
  %.115.i = icmp slt i64 %.69.i, %.32.0.i
  br i1 %.115.i, label %B26.i, label %B72.i.preheader

B72.i.preheader:                                  ; preds = %B26.i, %B938
  %gap.5.0.i.ph = phi i64 [ 1, %B938 ], [ %.69.i, %B26.i ]
  br label %B72.i

B72.i:                                            ; preds = %B72.i.preheader, %B262.else.if.i
  %gap.5.0.i = phi i64 [ %.538.i, %B262.else.if.i ], [ %gap.5.0.i.ph, %B72.i.preheader ]
  %.169.i = sub i64 %total.8.0.lcssa, %gap.5.0.i
  %.2143.not.i = icmp slt i64 %.169.i, 1
  br i1 %.2143.not.i, label %B262.else.if.i, label %B104.if.i

B140.i:                                           ; preds = %B104.if.i
  %.305.i = sub nsw i64 %.156.04.i, %gap.5.0.i
  %.336.i = getelementptr i64, ptr %.154, i64 %.305.i
  %.337.i = load i64, ptr %.336.i, align 8, !noalias !303
  %.339.i = icmp sgt i64 %.337.i, %.281.i
  br i1 %.339.i, label %B170.i, label %B250.i

B170.i:                                           ; preds = %B140.i, %B220.i
  %j.2.3.i = phi i64 [ %.346.i, %B220.i ], [ %.156.04.i, %B140.i ]
  %.346.i = sub nsw i64 %j.2.3.i, %gap.5.0.i
  %.360.i = icmp slt i64 %.346.i, 0
  %.361.i = select i1 %.360.i, i64 %.148, i64 0
  %3 = getelementptr i64, ptr %.154, i64 %.346.i
  %.375.i = getelementptr i64, ptr %3, i64 %.361.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !303
  %.406.i = getelementptr i64, ptr %.154, i64 %j.2.3.i
  store i64 %.376.i, ptr %.406.i, align 8, !noalias !303
  %.421.not.i = icmp slt i64 %.346.i, %gap.5.0.i
  br i1 %.421.not.i, label %B250.i, label %B220.i

B220.i:                                           ; preds = %B170.i
  %.431.i = sub nsw i64 %.346.i, %gap.5.0.i
  %.462.i = getelementptr i64, ptr %.154, i64 %.431.i
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !303
  %.465.i = icmp sgt i64 %.463.i, %.281.i
  br i1 %.465.i, label %B170.i, label %B250.i

B250.i:                                           ; preds = %B220.i, %B170.i, %B104.if.i, %B140.i
  %.494.pre-phi.i = phi i64 [ %.266.i, %B104.if.i ], [ %.266.i, %B140.i ], [ %.361.i, %B170.i ], [ %.361.i, %B220.i ]
  %j.3.2.i = phi i64 [ %.156.04.i, %B104.if.i ], [ %.156.04.i, %B140.i ], [ %.346.i, %B170.i ], [ %.346.i, %B220.i ]
  %4 = getelementptr i64, ptr %.154, i64 %j.3.2.i
  %.508.i = getelementptr i64, ptr %4, i64 %.494.pre-phi.i
  store i64 %.281.i, ptr %.508.i, align 8, !noalias !303
  %.214.i = icmp sgt i64 %.159.05.i, 1
  br i1 %.214.i, label %B104.if.i, label %B262.else.if.i

B284.i:                                           ; preds = %B262.else.if.i
  %.6566.not.i = icmp slt i64 %total.8.0.lcssa, 1
  br i1 %.6566.not.i, label %B1112, label %B318.if.i

B334.i:                                           ; preds = %B318.if.i
  %.750.inv.i = icmp sgt i64 %kept.2.09.i, 0
  %.751.i = select i1 %.750.inv.i, i64 0, i64 %.148
  %5 = getelementptr i64, ptr %.154, i64 %kept.2.09.i
  %6 = getelementptr i8, ptr %5, i64 -8
  %.765.i = getelementptr i64, ptr %6, i64 %.751.i
  %.766.i = load i64, ptr %.765.i, align 8, !noalias !303
  %.767.not.i = icmp eq i64 %.799.pre.i, %.766.i
  br i1 %.767.not.i, label %B408.i, label %B376.i

B376.i:                                           ; preds = %B318.if.i, %B334.i
  %.816.i = icmp slt i64 %kept.2.09.i, 0
  %.817.i = select i1 %.816.i, i64 %.148, i64 0
  %7 = getelementptr i64, ptr %.154, i64 %kept.2.09.i
  %.831.i = getelementptr i64, ptr %7, i64 %.817.i
  store i64 %.799.pre.i, ptr %.831.i, align 8, !noalias !303
  %.834.i = add nsw i64 %kept.2.09.i, 1
  br label %B408.i

B408.i:                                           ; preds = %B376.i, %B334.i
  %kept.3.2.i = phi i64 [ %.834.i, %B376.i ], [ %kept.2.09.i, %B334.i ]
  %exitcond.not.i = icmp eq i64 %total.8.0.lcssa, %.669.i
  br i1 %exitcond.not.i, label %leaves.sorted_once.exit, label %B318.if.i

B104.if.i:                                        ; preds = %B72.i, %B250.i
  %.159.05.i = phi i64 [ %.223.i, %B250.i ], [ %.169.i, %B72.i ]
  %.156.04.i = phi i64 [ %.227.i, %B250.i ], [ %gap.5.0.i, %B72.i ]
  %.223.i = add nsw i64 %.159.05.i, -1
  %.227.i = add i64 %.156.04.i, 1
  %.265.i = icmp slt i64 %.156.04.i, 0
  %.266.i = select i1 %.265.i, i64 %.148, i64 0
  %8 = getelementptr i64, ptr %.154, i64 %.156.04.i
  %.280.i = getelementptr i64, ptr %8, i64 %.266.i
  %.281.i = load i64, ptr %.280.i, align 8, !noalias !303
  %.294.not.i = icmp slt i64 %.156.04.i, %gap.5.0.i
  br i1 %.294.not.i, label %B250.i, label %B140.i

B262.else.if.i:                                   ; preds = %B250.i, %B72.i
  %.538.i = udiv i64 %gap.5.0.i, 3
  %.562.not.i = icmp ult i64 %gap.5.0.i, 3
  br i1 %.562.not.i, label %B284.i, label %B72.i

B318.if.i:                                        ; preds = %B284.i, %B408.i
  %kept.2.09.i = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ]
  %.600.07.i = phi i64 [ %.669.i, %B408.i ], [ 0, %B284.i ]
  %.669.i = add nuw nsw i64 %.600.07.i, 1
  %.698.i = icmp eq i64 %kept.2.09.i, 0
  %.phi.trans.insert.i = getelementptr i64, ptr %.154, i64 %.600.07.i
  %.799.pre.i = load i64, ptr %.phi.trans.insert.i, align 8, !noalias !303
  br i1 %.698.i, label %B376.i, label %B334.i

leaves.sorted_once.exit:                          ; preds = %B408.i
  %.1294 = icmp eq i64 %kept.3.2.i, 1
  br i1 %.1294, label %B982, label %B1112

B982:                                             ; preds = %leaves.sorted_once.exit
  %.1331 = load i64, ptr %.154, align 8
  %.1332 = and i64 %.1331, 4294967295
  %.19.not.i = icmp eq i64 %.1332, 0
  br i1 %.19.not.i, label %B1112, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B982
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !306
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !306
  %.42.i = inttoptr i64 %.33.i to ptr
  %.75.i = load i64, ptr %.26, align 8, !noalias !306
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.1332, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !306
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !306
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B1032, label %B1112

B1032:                                            ; preds = %leaves.is_split.exit
  store i64 0, ptr %.1404, align 8
  call fastcc void @leaves.unsplit(ptr %.1404, ptr nonnull %arg.m.4, i64 %.1331)
  %.1420 = load i64, ptr %.1404, align 8
  %.1432 = icmp eq i64 %.1420, -3
  br i1 %.1432, label %B1098, label %B1112

B1098:                                            ; preds = %B1032
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B1112:                                            ; preds = %B982, %B284.i, %B1032, %leaves.is_split.exit, %leaves.sorted_once.exit
  %total.9.0 = phi i64 [ %.1420, %B1032 ], [ 1, %leaves.is_split.exit ], [ %kept.3.2.i, %leaves.sorted_once.exit ], [ 0, %B284.i ], [ 1, %B982 ]
  store i64 0, ptr %.1460, align 8
  call fastcc void @states.state_of_leaves(ptr %.1460, ptr %arg.m.4, i64 36, i64 0, i64 %total.9.0, i64 %nullable.2.0.lcssa5563)
  %.1476 = load i64, ptr %.1460, align 8
  %.1494.not = icmp eq i64 %.1476, -3
  %or.cond = select i1 %.1494.not, i1 true, i1 %some.2.0.lcssa5662
  %or.cond1029 = select i1 %or.cond, i1 true, i1 %quoted.2.0.lcssa5761
  br i1 %or.cond1029, label %B1336, label %B1336.thread

B1336.thread:                                     ; preds = %B1112
  %.1514 = getelementptr i8, ptr %arg.m.4, i64 120
  %.1515 = load i64, ptr %.1514, align 8
  %.1517 = getelementptr i8, ptr %arg.m.4, i64 136
  %.1518 = load i64, ptr %.1517, align 8
  %.1524 = inttoptr i64 %.1515 to ptr
  %.1574 = icmp slt i64 %.1476, 0
  %.1575 = select i1 %.1574, i64 %.1518, i64 0
  %.1576 = add i64 %.1575, %.1476
  %.idx = shl i64 %.1576, 6
  %9 = getelementptr i8, ptr %.1524, i64 %.idx
  %.1600 = getelementptr i8, ptr %9, i64 32
  %.1601 = load i64, ptr %.1600, align 8
  %.1602 = or i64 %.1601, 4
  store i64 %.1602, ptr %.1600, align 8
  br label %B1358

B1336:                                            ; preds = %B1112
  br i1 %.1494.not, label %B1750, label %B1358

B1358:                                            ; preds = %B1336.thread, %B1336
  %.1670 = getelementptr i8, ptr %arg.m.4, i64 120
  %.1671 = load i64, ptr %.1670, align 8
  %.1673 = getelementptr i8, ptr %arg.m.4, i64 136
  %.1674 = load i64, ptr %.1673, align 8
  %.1680 = inttoptr i64 %.1671 to ptr
  %.1730 = icmp slt i64 %.1476, 0
  %.1731 = select i1 %.1730, i64 %.1674, i64 0
  %.1732 = add i64 %.1731, %.1476
  %.idx1024 = shl i64 %.1732, 6
  %10 = getelementptr i8, ptr %.1680, i64 %.idx1024
  %.1756 = getelementptr i8, ptr %10, i64 40
  %.1757 = load i64, ptr %.1756, align 8
  %.1758 = icmp eq i64 %.1757, -1
  %.184537 = icmp sgt i64 %arg.found, 0
  %or.cond41 = and i1 %.1758, %.184537
  br i1 %or.cond41, label %B1504.if, label %B1750

B1562:                                            ; preds = %B1504.if
  %.2034.idx = shl i64 %.1970, 6
  %.2034 = getelementptr i8, ptr %.36, i64 %.2034.idx
  %.2035 = load i64, ptr %.2034, align 8
  store i64 0, ptr %.2037, align 8
  call fastcc void @leaves.width_of(ptr %.2037, ptr %arg.m.4, i64 %.2035)
  %.2053 = load i64, ptr %.2037, align 8
  %.2064 = icmp sgt i64 %.2053, %widest.2.140
  br i1 %.2064, label %B1628, label %B1748

B1628:                                            ; preds = %B1562
  store i64 0, ptr %.2125, align 8
  call fastcc void @leaves.width_of(ptr %.2125, ptr %arg.m.4, i64 %.2035)
  %.2141 = load i64, ptr %.2125, align 8
  %.2162 = load i64, ptr %.1670, align 8
  %.2165 = load i64, ptr %.1673, align 8
  %.2171 = inttoptr i64 %.2162 to ptr
  %.2223 = select i1 %.1730, i64 %.2165, i64 0
  %.2224 = add i64 %.2223, %.1476
  %.idx1027 = shl i64 %.2224, 6
  %11 = getelementptr i8, ptr %.2171, i64 %.idx1027
  %.2248 = getelementptr i8, ptr %11, i64 40
  store i64 %.1970, ptr %.2248, align 8
  br label %B1748

B1748:                                            ; preds = %B1628, %B1562, %B1504.if
  %widest.3.1 = phi i64 [ %.2141, %B1628 ], [ %widest.2.140, %B1562 ], [ %widest.2.140, %B1504.if ]
  %exitcond44.not = icmp eq i64 %arg.found, %.1858
  br i1 %exitcond44.not, label %B1750, label %B1504.if

B1750:                                            ; preds = %B1748, %B1358, %B1336
  store i64 %.1476, ptr %retptr, align 8
  br label %common.ret

B190.if:                                          ; preds = %B190
  %.246 = load ptr, ptr %excinfo.1, align 8
  store ptr %.246, ptr %excinfo, align 8
  br label %common.ret

B190.endif:                                       ; preds = %B190
  %.255 = load i64, ptr %.239, align 8
  store i64 %.255, ptr %retptr, align 8
  br label %common.ret

B390.if:                                          ; preds = %B234, %B474
  %quoted.2.023 = phi i64 [ %.691, %B474 ], [ 1, %B234 ]
  %some.2.022 = phi i64 [ %.682, %B474 ], [ 0, %B234 ]
  %nullable.2.021 = phi i64 [ %.677, %B474 ], [ 0, %B234 ]
  %total.6.020 = phi i64 [ %.585, %B474 ], [ 0, %B234 ]
  %.315.019 = phi i64 [ %.384, %B474 ], [ 0, %B234 ]
  %.384 = add nuw nsw i64 %.315.019, 1
  %12 = getelementptr i64, ptr %.78, i64 %.315.019
  %.443 = load i64, ptr %12, align 8
  store i64 0, ptr %.445, align 8
  %.451 = call fastcc i32 @leaves.open_term(ptr %.445, ptr %arg.m.4, i64 %.443)
  %.453.not = icmp eq i32 %.451, 0
  br i1 %.453.not, label %B392.endif, label %B392.if, !prof !4

B392.if:                                          ; preds = %B390.if
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B392.endif:                                       ; preds = %B390.if
  %.461 = load i64, ptr %.445, align 8
  %.471 = icmp eq i64 %.461, -3
  br i1 %.471, label %B456, label %B474

B776.if:                                          ; preds = %B684, %B776.loopexit
  %total.8.035 = phi i64 [ %total.7.1.lcssa, %B776.loopexit ], [ 0, %B684 ]
  %.787.034 = phi i64 [ %.856, %B776.loopexit ], [ 0, %B684 ]
  %.856 = add nuw nsw i64 %.787.034, 1
  %13 = getelementptr i64, ptr %.78, i64 %.787.034
  %.916 = load i64, ptr %13, align 8
  %.943 = icmp slt i64 %.916, 0
  %.944 = select i1 %.943, i64 %.30, i64 0
  %.945 = add i64 %.944, %.916
  %.idx7 = shl i64 %.945, 6
  %14 = getelementptr i8, ptr %.36, i64 %.idx7
  %.1053 = getelementptr i8, ptr %14, i64 24
  %.1054 = load i64, ptr %.1053, align 8
  %.113527.not = icmp slt i64 %.1054, 1
  br i1 %.113527.not, label %B776.loopexit, label %B898.if.preheader

B898.if.preheader:                                ; preds = %B776.if
  %.969 = getelementptr i8, ptr %14, i64 16
  %.970 = load i64, ptr %.969, align 8
  %15 = add i64 %total.8.035, %.1054
  %xtraiter = and i64 %.1054, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B898.if.prol.loopexit, label %B898.if.prol

B898.if.prol:                                     ; preds = %B898.if.preheader
  %.1148.prol = add i64 %.970, 1
  %.1186.prol = icmp slt i64 %.970, 0
  %.1187.prol = select i1 %.1186.prol, i64 %.110, i64 0
  %16 = getelementptr i64, ptr %.116, i64 %.970
  %.1201.prol = getelementptr i64, ptr %16, i64 %.1187.prol
  %.1202.prol = load i64, ptr %.1201.prol, align 8
  %.1217.prol = icmp slt i64 %total.8.035, 0
  %.1218.prol = select i1 %.1217.prol, i64 %.148, i64 0
  %17 = getelementptr i64, ptr %.154, i64 %total.8.035
  %.1232.prol = getelementptr i64, ptr %17, i64 %.1218.prol
  store i64 %.1202.prol, ptr %.1232.prol, align 8
  %.1235.prol = add i64 %total.8.035, 1
  br label %B898.if.prol.loopexit

B898.if.prol.loopexit:                            ; preds = %B898.if.prol, %B898.if.preheader
  %total.7.130.unr = phi i64 [ %total.8.035, %B898.if.preheader ], [ %.1235.prol, %B898.if.prol ]
  %.1079.029.unr = phi i64 [ %.970, %B898.if.preheader ], [ %.1148.prol, %B898.if.prol ]
  %18 = icmp eq i64 %.1054, 1
  br i1 %18, label %B776.loopexit, label %B898.if

B898.if:                                          ; preds = %B898.if.prol.loopexit, %B898.if
  %total.7.130 = phi i64 [ %.1235.1, %B898.if ], [ %total.7.130.unr, %B898.if.prol.loopexit ]
  %.1079.029 = phi i64 [ %.1148.1, %B898.if ], [ %.1079.029.unr, %B898.if.prol.loopexit ]
  %.1148 = add i64 %.1079.029, 1
  %.1186 = icmp slt i64 %.1079.029, 0
  %.1187 = select i1 %.1186, i64 %.110, i64 0
  %19 = getelementptr i64, ptr %.116, i64 %.1079.029
  %.1201 = getelementptr i64, ptr %19, i64 %.1187
  %.1202 = load i64, ptr %.1201, align 8
  %.1217 = icmp slt i64 %total.7.130, 0
  %.1218 = select i1 %.1217, i64 %.148, i64 0
  %20 = getelementptr i64, ptr %.154, i64 %total.7.130
  %.1232 = getelementptr i64, ptr %20, i64 %.1218
  store i64 %.1202, ptr %.1232, align 8
  %.1235 = add i64 %total.7.130, 1
  %.1148.1 = add i64 %.1079.029, 2
  %.1186.1 = icmp slt i64 %.1148, 0
  %.1187.1 = select i1 %.1186.1, i64 %.110, i64 0
  %21 = getelementptr i64, ptr %.116, i64 %.1148
  %.1201.1 = getelementptr i64, ptr %21, i64 %.1187.1
  %.1202.1 = load i64, ptr %.1201.1, align 8
  %.1217.1 = icmp slt i64 %.1235, 0
  %.1218.1 = select i1 %.1217.1, i64 %.148, i64 0
  %22 = getelementptr i64, ptr %.154, i64 %.1235
  %.1232.1 = getelementptr i64, ptr %22, i64 %.1218.1
  store i64 %.1202.1, ptr %.1232.1, align 8
  %.1235.1 = add i64 %total.7.130, 2
  %exitcond42.not.1 = icmp eq i64 %.1235.1, %15
  br i1 %exitcond42.not.1, label %B776.loopexit, label %B898.if

B1504.if:                                         ; preds = %B1358, %B1748
  %widest.2.140 = phi i64 [ %widest.3.1, %B1748 ], [ 0, %B1358 ]
  %.1789.038 = phi i64 [ %.1858, %B1748 ], [ 0, %B1358 ]
  %.1858 = add nuw nsw i64 %.1789.038, 1
  %23 = getelementptr i64, ptr %.78, i64 %.1789.038
  %.1916 = load i64, ptr %23, align 8
  %.1943 = icmp slt i64 %.1916, 0
  %.1944 = select i1 %.1943, i64 %.30, i64 0
  %.1945 = add i64 %.1944, %.1916
  %.idx1026 = shl i64 %.1945, 6
  %24 = getelementptr i8, ptr %.36, i64 %.idx1026
  %.1969 = getelementptr i8, ptr %24, i64 56
  %.1970 = load i64, ptr %.1969, align 8
  %.1975 = icmp sgt i64 %.1970, -1
  br i1 %.1975, label %B1562, label %B1748
}

define internal fastcc i32 @states.state_of(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.term) unnamed_addr {
entry:
  %.24 = alloca i64, align 8
  %.520 = alloca i64, align 8
  %.563 = alloca i64, align 8
  store i64 0, ptr %.563, align 8
  %.607 = alloca i64, align 8
  store i64 0, ptr %.607, align 8
  %.19 = icmp eq i64 %arg.term, -3
  br i1 %.19, label %B76, label %B26

B26:                                              ; preds = %entry
  store i64 0, ptr %.24, align 8
  %.30 = call fastcc i32 @leaves.open_term(ptr %.24, ptr %arg.m.4, i64 %arg.term)
  %.32.not = icmp eq i32 %.30, 0
  br i1 %.32.not, label %B26.endif, label %B26.if, !prof !4

common.ret:                                       ; preds = %B26.if, %B1034, %B690, %B76
  %common.ret.op = phi i32 [ 0, %B76 ], [ 0, %B690 ], [ 0, %B1034 ], [ 1, %B26.if ]
  ret i32 %common.ret.op

B76:                                              ; preds = %B26.endif, %entry
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B90:                                              ; preds = %B26.endif
  %.68 = getelementptr i8, ptr %arg.m.4, i64 48
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 64
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.132 = icmp slt i64 %arg.term, 0
  %.133 = select i1 %.132, i64 %.72, i64 0
  %.134 = add i64 %.133, %arg.term
  %.idx5 = shl i64 %.134, 6
  %0 = getelementptr i8, ptr %.78, i64 %.idx5
  %.158 = getelementptr i8, ptr %0, i64 48
  %.159 = load i64, ptr %.158, align 8
  %.160 = icmp slt i64 %.159, 0
  br i1 %.160, label %B172, label %B1034

B172:                                             ; preds = %B90
  %.215 = getelementptr i8, ptr %0, i64 32
  %.216 = load i64, ptr %.215, align 8
  %.270 = getelementptr i8, ptr %0, i64 16
  %.271 = load i64, ptr %.270, align 8
  %.325 = getelementptr i8, ptr %0, i64 24
  %.326 = load i64, ptr %.325, align 8
  %.337 = icmp eq i64 %.326, 1
  br i1 %.337, label %B274, label %B172.split

B172.split:                                       ; preds = %B172
  %.603464 = and i64 %.216, 1
  store i64 0, ptr %.607, align 8
  call fastcc void @states.state_of_leaves(ptr %.607, ptr nonnull %arg.m.4, i64 12, i64 %.271, i64 %.326, i64 %.603464)
  br label %B668

B274:                                             ; preds = %B172
  %.348 = getelementptr i8, ptr %arg.m.4, i64 96
  %.349 = load i64, ptr %.348, align 8
  %.351 = getelementptr i8, ptr %arg.m.4, i64 112
  %.352 = load i64, ptr %.351, align 8
  %.358 = inttoptr i64 %.349 to ptr
  %.391 = icmp slt i64 %.271, 0
  %.392 = select i1 %.391, i64 %.352, i64 0
  %1 = getelementptr i64, ptr %.358, i64 %.271
  %.406 = getelementptr i64, ptr %1, i64 %.392
  %.407 = load i64, ptr %.406, align 8
  %.408 = and i64 %.407, 4294967295
  %.19.not.i = icmp eq i64 %.408, 0
  br i1 %.19.not.i, label %B274.endif.endif.split, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B274
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !309
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !309
  %.42.i = inttoptr i64 %.33.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.408, 6
  %.164.i = getelementptr i8, ptr %.78, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !309
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !309
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B362, label %B274.endif.endif.split

B362:                                             ; preds = %leaves.is_split.exit
  store i64 0, ptr %.520, align 8
  call fastcc void @leaves.unsplit(ptr %.520, ptr nonnull %arg.m.4, i64 %.407)
  %.536 = load i64, ptr %.520, align 8
  %.550 = icmp eq i64 %.536, -3
  br i1 %.550, label %B690, label %B480

B480:                                             ; preds = %B362
  %.560 = and i64 %.216, 1
  store i64 0, ptr %.563, align 8
  call fastcc void @states.state_of_leaves(ptr %.563, ptr nonnull %arg.m.4, i64 36, i64 0, i64 %.536, i64 %.560)
  br label %B668

B668:                                             ; preds = %B274.endif.endif.split, %B172.split, %B480
  %state.2.1.in = phi ptr [ %.563, %B480 ], [ %.607, %B172.split ], [ %.607, %B274.endif.endif.split ]
  %state.2.1 = load i64, ptr %state.2.1.in, align 8
  %.641 = icmp eq i64 %state.2.1, -3
  br i1 %.641, label %B690, label %B704

B690:                                             ; preds = %B362, %B668
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B704:                                             ; preds = %B668
  store i64 %state.2.1, ptr %.158, align 8
  %.719 = getelementptr i8, ptr %arg.m.4, i64 120
  %.720 = load i64, ptr %.719, align 8
  %.722 = getelementptr i8, ptr %arg.m.4, i64 136
  %.723 = load i64, ptr %.722, align 8
  %.729 = inttoptr i64 %.720 to ptr
  %.779 = icmp slt i64 %state.2.1, 0
  %.780 = select i1 %.779, i64 %.723, i64 0
  %.781 = add i64 %.780, %state.2.1
  %.idx = shl i64 %.781, 6
  %2 = getelementptr i8, ptr %.729, i64 %.idx
  %.805 = getelementptr i8, ptr %2, i64 32
  %.806 = load i64, ptr %.805, align 8
  %.810 = and i64 %.216, 52
  %.813 = or i64 %.806, %.810
  store i64 %.813, ptr %.805, align 8
  %.874 = load i64, ptr %.719, align 8
  %.877 = load i64, ptr %.722, align 8
  %.883 = inttoptr i64 %.874 to ptr
  %.934 = select i1 %.779, i64 %.877, i64 0
  %.935 = add i64 %.934, %state.2.1
  %.idx468 = shl i64 %.935, 6
  %3 = getelementptr i8, ptr %.883, i64 %.idx468
  %.959 = getelementptr i8, ptr %3, i64 40
  %.960 = load i64, ptr %.959, align 8
  %.961 = icmp eq i64 %.960, -1
  br i1 %.961, label %B946, label %B1034

B946:                                             ; preds = %B704
  %.1016 = getelementptr i8, ptr %0, i64 56
  %.1017 = load i64, ptr %.1016, align 8
  store i64 %.1017, ptr %.959, align 8
  br label %B1034

B1034:                                            ; preds = %B946, %B704, %B90
  %.1179 = load i64, ptr %.158, align 8
  store i64 %.1179, ptr %retptr, align 8
  br label %common.ret

B26.if:                                           ; preds = %B26
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B26.endif:                                        ; preds = %B26
  %.40 = load i64, ptr %.24, align 8
  %.52 = icmp eq i64 %.40, -3
  br i1 %.52, label %B76, label %B90

B274.endif.endif.split:                           ; preds = %B274, %leaves.is_split.exit
  %.603466 = and i64 %.216, 1
  store i64 0, ptr %.607, align 8
  call fastcc void @states.state_of_leaves(ptr %.607, ptr nonnull %arg.m.4, i64 12, i64 %.271, i64 1, i64 %.603466)
  br label %B668
}

define internal fastcc noundef i32 @leaves.open_term(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.term) unnamed_addr {
entry:
  %.570.i = alloca i64, align 8
  %.193.i.i = alloca i64, align 8
  %.316.i.i1069 = alloca i64, align 8
  %.27.i = alloca i64, align 8
  %.392.i = alloca [2 x i64], align 8
  %.76.i = alloca i64, align 8
  %.214.i = alloca [2 x i64], align 8
  %.570.i.i = alloca i64, align 8
  %.520.i = alloca [2 x i64], align 8
  %.194.i = alloca i64, align 8
  %.313.i = alloca i64, align 8
  %.352.i1040 = alloca i64, align 8
  %.413.i = alloca i64, align 8
  %.1142 = alloca i64, align 8
  store i64 0, ptr %.1142, align 8
  %.26 = getelementptr i8, ptr %arg.m.4, i64 48
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 64
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.86 = icmp slt i64 %arg.term, 0
  %.87 = select i1 %.86, i64 %.30, i64 0
  %.88 = add i64 %.87, %arg.term
  %.idx = shl i64 %.88, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx
  %.112 = getelementptr i8, ptr %0, i64 16
  %.113 = load i64, ptr %.112, align 8
  %.114 = icmp sgt i64 %.113, -1
  br i1 %.114, label %common.ret, label %B110

common.ret:                                       ; preds = %B1394, %leaves.past.exit, %leaves.wider.exit, %B238.i1124, %leaves.past.exit.thread38, %entry, %B1746, %B1568, %B740
  %.sink = phi i64 [ 0, %B1746 ], [ -3, %B1568 ], [ -3, %B238.i1124 ], [ 0, %entry ], [ -3, %B740 ], [ -3, %leaves.past.exit.thread38 ], [ -3, %leaves.wider.exit ], [ -3, %leaves.past.exit ], [ -3, %B1394 ]
  store i64 %.sink, ptr %retptr, align 8
  ret i32 0

B110:                                             ; preds = %entry
  %.131 = load i64, ptr %arg.m.4, align 8
  %.133 = getelementptr i8, ptr %arg.m.4, i64 16
  %.134 = load i64, ptr %.133, align 8
  %.140 = inttoptr i64 %.131 to ptr
  %.220 = getelementptr i8, ptr %arg.m.4, i64 240
  %.221 = load i64, ptr %.220, align 8
  %.230 = inttoptr i64 %.221 to ptr
  %.258 = getelementptr i8, ptr %arg.m.4, i64 288
  %.259 = load i64, ptr %.258, align 8
  %.261 = getelementptr i8, ptr %arg.m.4, i64 304
  %.262 = load i64, ptr %.261, align 8
  %.268 = inttoptr i64 %.259 to ptr
  %.322 = getelementptr i8, ptr %arg.m.4, i64 840
  %.323 = load i64, ptr %.322, align 8
  %.324 = add nsw i64 %.323, 1
  store i64 %.324, ptr %.322, align 8
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 256
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !312
  %.108.i = icmp eq i64 %arg.term, -3
  br i1 %.108.i, label %B1492, label %B124.i

B124.i:                                           ; preds = %B110
  %.175.i = getelementptr i8, ptr %0, i64 40
  %.176.i = load i64, ptr %.175.i, align 8, !noalias !312
  %.207.i = icmp eq i64 %.176.i, %.324
  br i1 %.207.i, label %B1492, label %B188.i

B188.i:                                           ; preds = %B124.i
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 248
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !315
  %.84.not.i.i.not = icmp slt i64 %.50.i.i, %.75.i
  br i1 %.84.not.i.i.not, label %B530.preheader.lr.ph, label %B238.i

B238.i:                                           ; preds = %B188.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 30, ptr %.122.i.i, align 8, !noalias !315
  br label %B1492

B530.preheader.lr.ph:                             ; preds = %B188.i
  store i64 %.324, ptr %.175.i, align 8, !noalias !312
  store i64 %arg.term, ptr %.230, align 8, !noalias !312
  %.312.i = getelementptr i8, ptr %arg.m.4, i64 928
  %.347.i = getelementptr i8, ptr %arg.m.4, i64 936
  %.49.i.i.i.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.122.i.i.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  %.fca.1.gep.i1062 = getelementptr inbounds i8, ptr %.214.i, i64 8
  %.fca.1.gep.i = getelementptr inbounds i8, ptr %.520.i, i64 8
  %.79.i = getelementptr i8, ptr %arg.m.4, i64 24
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 40
  %.fca.1.gep.i1070 = getelementptr inbounds i8, ptr %.392.i, i64 8
  %.49.i.i1117 = getelementptr i8, ptr %arg.m.4, i64 248
  br label %B530.preheader

B516.loopexit:                                    ; preds = %B530
  %.445 = icmp ugt i64 %size.7.1, 1
  br i1 %.445, label %B530.preheader, label %B1492

B530.preheader:                                   ; preds = %B530.preheader.lr.ph, %B516.loopexit
  %size.6.0184 = phi i64 [ 1, %B530.preheader.lr.ph ], [ %.459, %B516.loopexit ]
  %quoted.3.0183 = phi i64 [ 0, %B530.preheader.lr.ph ], [ %quoted.2.1, %B516.loopexit ]
  %repeated.3.0182 = phi i64 [ -1, %B530.preheader.lr.ph ], [ %repeated.2.1, %B516.loopexit ]
  %count.7.0181 = phi i64 [ 0, %B530.preheader.lr.ph ], [ %count.6.1, %B516.loopexit ]
  %nullable.2.0180 = phi i64 [ 0, %B530.preheader.lr.ph ], [ 1, %B516.loopexit ]
  %.814179 = phi i1 [ true, %B530.preheader.lr.ph ], [ false, %B516.loopexit ]
  br label %B530

B530:                                             ; preds = %B530.preheader, %B1478
  %count.6.1 = phi i64 [ %count.8.228, %B1478 ], [ %count.7.0181, %B530.preheader ]
  %repeated.2.1 = phi i64 [ %repeated.4.2, %B1478 ], [ %repeated.3.0182, %B530.preheader ]
  %quoted.2.1 = phi i64 [ %quoted.4.2, %B1478 ], [ %quoted.3.0183, %B530.preheader ]
  %size.7.1 = phi i64 [ %size.8.2, %B1478 ], [ %size.6.0184, %B530.preheader ]
  %.459 = add nsw i64 %size.7.1, -1
  %.494 = getelementptr i64, ptr %.230, i64 %.459
  %.495 = load i64, ptr %.494, align 8
  %.522 = icmp slt i64 %.495, 0
  %.523 = select i1 %.522, i64 %.30, i64 0
  %.524 = add i64 %.523, %.495
  %.548.idx = shl i64 %.524, 6
  %.548 = getelementptr i8, ptr %.36, i64 %.548.idx
  %.549 = load i64, ptr %.548, align 8
  %.642 = icmp eq i64 %.549, 0
  br i1 %.642, label %B516.loopexit, label %B678

B678:                                             ; preds = %B530
  %.633 = getelementptr i8, ptr %.548, i64 8
  %.634 = load i64, ptr %.633, align 8
  %.38.i = load i64, ptr %arg.m.4, align 8, !noalias !318
  %.41.i = load i64, ptr %.133, align 8, !noalias !318
  %.47.i = inttoptr i64 %.38.i to ptr
  %.75.not.i = icmp eq i64 %.634, -3
  br i1 %.75.not.i, label %B740, label %B68.i

B68.i:                                            ; preds = %B678
  %.116.i = icmp slt i64 %.549, 0
  %.117.i = select i1 %.116.i, i64 %.41.i, i64 0
  %.118.i = add i64 %.117.i, %.549
  %.142.idx.i = shl i64 %.118.i, 6
  %.142.i = getelementptr i8, ptr %.47.i, i64 %.142.idx.i
  %.143.i = load i64, ptr %.142.i, align 8, !noalias !318
  switch i64 %.143.i, label %B842.endif.endif [
    i64 2, label %B202.i.preheader
    i64 7, label %B164.i
  ]

B164.i:                                           ; preds = %B68.i
  %.282.i = getelementptr i8, ptr %.142.i, i64 16
  %.283.i = load i64, ptr %.282.i, align 8, !noalias !318
  %.284.i = icmp eq i64 %.283.i, 0
  br i1 %.284.i, label %B202.i.preheader, label %B842.endif.endif

B202.i.preheader:                                 ; preds = %B164.i, %B68.i
  br label %B202.i

B202.i:                                           ; preds = %B202.i.backedge, %B202.i.preheader
  %node.2.1.i = phi i64 [ %.549, %B202.i.preheader ], [ %.5076.i, %B202.i.backedge ]
  %rest.2.1.i = phi i64 [ %.634, %B202.i.preheader ], [ %rest.3.25.i, %B202.i.backedge ]
  %.325.i = icmp slt i64 %node.2.1.i, 0
  %.326.i = select i1 %.325.i, i64 %.41.i, i64 0
  %.327.i = add i64 %.326.i, %node.2.1.i
  %.351.idx.i = shl i64 %.327.i, 6
  %.351.i = getelementptr i8, ptr %.47.i, i64 %.351.idx.i
  %.352.i = load i64, ptr %.351.i, align 8, !noalias !318
  %.353.i = icmp eq i64 %.352.i, 2
  br i1 %.353.i, label %B310.i, label %B362.i

B310.i:                                           ; preds = %B202.i
  %.409.i = getelementptr i8, ptr %.351.i, i64 16
  %.410.i = load i64, ptr %.409.i, align 8, !noalias !318
  store i64 0, ptr %.413.i, align 8, !noalias !318
  call fastcc void @terms.push(ptr %.413.i, ptr nonnull %arg.m.4, i64 %.410.i, i64 %rest.2.1.i)
  %.429.i = load i64, ptr %.413.i, align 8, !noalias !318
  %.515.not.i = icmp eq i64 %.429.i, -3
  br i1 %.515.not.i, label %B740, label %B362.i

B362.i:                                           ; preds = %B202.i, %B310.i
  %rest.3.25.i = phi i64 [ %.429.i, %B310.i ], [ %rest.2.1.i, %B202.i ]
  %.5076.i.in = getelementptr i8, ptr %.351.i, i64 8
  %.5076.i = load i64, ptr %.5076.i.in, align 8, !noalias !318
  %.548.i = icmp slt i64 %.5076.i, 0
  %.549.i = select i1 %.548.i, i64 %.41.i, i64 0
  %.550.i = add i64 %.549.i, %.5076.i
  %.574.idx.i = shl i64 %.550.i, 6
  %.574.i = getelementptr i8, ptr %.47.i, i64 %.574.idx.i
  %.575.i = load i64, ptr %.574.i, align 8, !noalias !318
  switch i64 %.575.i, label %B842.endif.endif [
    i64 2, label %B202.i.backedge
    i64 7, label %B458.i
  ]

B458.i:                                           ; preds = %B362.i
  %.700.i = getelementptr i8, ptr %.574.i, i64 16
  %.701.i = load i64, ptr %.700.i, align 8, !noalias !318
  %.702.i = icmp eq i64 %.701.i, 0
  br i1 %.702.i, label %B202.i.backedge, label %B842.endif.endif

B202.i.backedge:                                  ; preds = %B458.i, %B362.i
  br label %B202.i

B740:                                             ; preds = %B678, %B310.i
  br label %common.ret

B878:                                             ; preds = %B842.endif.endif
  %.127.i = icmp slt i64 %repeated.2.1, 0
  br i1 %.127.i, label %B186.i, label %B186.i.thread

B186.i.thread:                                    ; preds = %B878
  %.87.i = load i64, ptr %.26, align 8, !noalias !321
  %.96.i = inttoptr i64 %.87.i to ptr
  %.189.idx.i = shl i64 %repeated.2.1, 6
  %.189.i = getelementptr i8, ptr %.96.i, i64 %.189.idx.i
  %.190.i = load i64, ptr %.189.i, align 8, !noalias !321
  store i64 0, ptr %.194.i, align 8, !noalias !321
  call fastcc void @leaves.width_of(ptr %.194.i, ptr nonnull %arg.m.4, i64 %.190.i)
  %.210.i = load i64, ptr %.194.i, align 8, !noalias !321
  br label %B256.i

B186.i:                                           ; preds = %B878
  %.45.i = load i64, ptr %arg.m.4, align 8, !noalias !321
  %.54.i = inttoptr i64 %.45.i to ptr
  %.48.i = load i64, ptr %.133, align 8, !noalias !321
  %.259.i = select i1 %.771, i64 %.48.i, i64 0
  %.260.i = add i64 %.259.i, %arg.node.fr.i
  %.284.idx.i = shl i64 %.260.i, 6
  %.284.i1043 = getelementptr i8, ptr %.54.i, i64 %.284.idx.i
  %.285.i = load i64, ptr %.284.i1043, align 8, !noalias !321
  %.288.i = icmp eq i64 %.285.i, 6
  %or.cond.i1044 = select i1 %.288.i, i1 %spec.select, i1 false
  br i1 %or.cond.i1044, label %B296.i, label %B256.i

B256.i:                                           ; preds = %B186.i.thread, %B186.i
  %"$phi186.0.2.0.i21" = phi i64 [ %.210.i, %B186.i.thread ], [ 0, %B186.i ]
  store i64 0, ptr %.313.i, align 8, !noalias !321
  call fastcc void @leaves.width_of(ptr %.313.i, ptr nonnull %arg.m.4, i64 %arg.node.fr.i)
  %.329.i = load i64, ptr %.313.i, align 8, !noalias !321
  %.340.i = icmp sgt i64 %.329.i, %"$phi186.0.2.0.i21"
  br i1 %.340.i, label %B296.i, label %leaves.wider.exit

B296.i:                                           ; preds = %B256.i, %B186.i
  store i64 0, ptr %.352.i1040, align 8, !noalias !321
  call fastcc void @terms.push(ptr %.352.i1040, ptr nonnull %arg.m.4, i64 %arg.node.fr.i, i64 %arg.rest.fr.i)
  %.368.i = load i64, ptr %.352.i1040, align 8, !noalias !321
  br label %leaves.wider.exit

leaves.wider.exit:                                ; preds = %B256.i, %B296.i
  %"$phi332.0.2.0.i" = phi i64 [ %.368.i, %B296.i ], [ %repeated.2.1, %B256.i ]
  %.914 = icmp eq i64 %"$phi332.0.2.0.i", -3
  br i1 %.914, label %common.ret, label %B978

B978:                                             ; preds = %leaves.wider.exit, %B842.endif.endif
  %repeated.4.2 = phi i64 [ %"$phi332.0.2.0.i", %leaves.wider.exit ], [ %repeated.2.1, %B842.endif.endif ]
  br i1 %spec.select, label %B982, label %B1016

B982:                                             ; preds = %B978
  %.30.i1045 = load i64, ptr %arg.m.4, align 8, !noalias !324
  %.33.i1047 = load i64, ptr %.133, align 8, !noalias !324
  %.39.i1048 = inttoptr i64 %.30.i1045 to ptr
  %.94.i = select i1 %.771, i64 %.33.i1047, i64 0
  %.95.i = add i64 %.94.i, %arg.node.fr.i
  %.119.idx.i = shl i64 %.95.i, 6
  %.119.i = getelementptr i8, ptr %.39.i1048, i64 %.119.idx.i
  %.120.i = load i64, ptr %.119.i, align 8, !noalias !324
  %.174.i = getelementptr i8, ptr %.119.i, i64 8
  %.175.i1049 = load i64, ptr %.174.i, align 8, !noalias !324
  switch i64 %.120.i, label %B428.i [
    i64 8, label %B1016
    i64 9, label %B190.i
    i64 4, label %B252.i1050
  ]

B190.i:                                           ; preds = %B982
  br label %B1016

B252.i1050:                                       ; preds = %B982
  %.276.i = getelementptr i8, ptr %.119.i, i64 24
  %.277.i = load i64, ptr %.276.i, align 8, !noalias !324
  %.280.i = icmp eq i64 %.277.i, -1
  br i1 %.280.i, label %B300.i, label %B428.i

B300.i:                                           ; preds = %B252.i1050
  %.313.i1051 = load i64, ptr %.312.i, align 8, !noalias !324
  %.315.i = icmp eq i64 %.175.i1049, %.313.i1051
  %.318.i = select i1 %.315.i, i64 16, i64 0
  %.348.i = load i64, ptr %.347.i, align 8, !noalias !324
  %.352.i1052 = icmp eq i64 %.175.i1049, %.348.i
  %.357.i = select i1 %.352.i1052, i64 32, i64 0
  %.358.i = or i64 %.357.i, %.318.i
  br label %B1016

B428.i:                                           ; preds = %B252.i1050, %B982
  br label %B1016

B1016:                                            ; preds = %B428.i, %B300.i, %B190.i, %B982, %B978
  %quoted.4.2 = phi i64 [ %quoted.2.1, %B978 ], [ %quoted.2.1, %B428.i ], [ %.358.i, %B300.i ], [ 8, %B190.i ], [ 4, %B982 ]
  switch i64 %.798, label %B1222 [
    i64 3, label %B1038
    i64 4, label %B1106
    i64 7, label %B1266.thread
    i64 1, label %B1266.thread
  ]

B1038:                                            ; preds = %B1016
  %.38.i1053 = load i64, ptr %arg.m.4, align 8, !noalias !327
  %.41.i1055 = load i64, ptr %.133, align 8, !noalias !327
  %.47.i1056 = inttoptr i64 %.38.i1053 to ptr
  %.80.i = load i64, ptr %.79.i, align 8, !noalias !327
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !327
  %.89.i = inttoptr i64 %.80.i to ptr
  %.139.i = select i1 %.771, i64 %.41.i1055, i64 0
  %.140.i = add i64 %.139.i, %arg.node.fr.i
  %.idx.i1057 = shl i64 %.140.i, 6
  %1 = getelementptr i8, ptr %.47.i1056, i64 %.idx.i1057
  %.164.i = getelementptr i8, ptr %1, i64 8
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !327
  %.272.i = getelementptr i8, ptr %1, i64 16
  %.273.i = load i64, ptr %.272.i, align 8, !noalias !327
  %spec.select.i1058 = tail call i64 @llvm.smax.i64(i64 %.273.i, i64 0)
  %.253.not.i.i = icmp eq i64 %arg.rest.fr.i, 0
  br i1 %.253.not.i.i, label %entry.split.us.i, label %B204.i

entry.split.us.i:                                 ; preds = %B1038
  br i1 %.771, label %B204.us.us.i, label %B204.us.i

B204.us.us.i:                                     ; preds = %entry.split.us.i, %B204.if.us.us.i
  %.301.0.us.us.i = phi i64 [ %.373.us.us.i, %B204.if.us.us.i ], [ %spec.select.i1058, %entry.split.us.i ]
  %.298.0.us.us.i = phi i64 [ %.377.us.us.i, %B204.if.us.us.i ], [ %.165.i, %entry.split.us.i ]
  %count.2.0.us.us.i = phi i64 [ %.536.fca.1.load.us.us.i, %B204.if.us.us.i ], [ %count.6.1, %entry.split.us.i ]
  %size.2.0.us.us.i = phi i64 [ %.536.fca.0.load.us.us.i, %B204.if.us.us.i ], [ %.459, %entry.split.us.i ]
  %.364.us.us.i = icmp sgt i64 %.301.0.us.us.i, 0
  br i1 %.364.us.us.i, label %B204.if.us.us.i, label %leaves.open_options.exit

B204.if.us.us.i:                                  ; preds = %B204.us.us.i
  %.373.us.us.i = add nsw i64 %.301.0.us.us.i, -1
  %.377.us.us.i = add i64 %.298.0.us.us.i, 1
  %.423.us.us.i = icmp slt i64 %.298.0.us.us.i, 0
  %.424.us.us.i = select i1 %.423.us.us.i, i64 %.83.i, i64 0
  %2 = getelementptr i64, ptr %.89.i, i64 %.298.0.us.us.i
  %.438.us.us.i = getelementptr i64, ptr %2, i64 %.424.us.us.i
  %.439.us.us.i = load i64, ptr %.438.us.us.i, align 8, !noalias !327
  call fastcc void @leaves.open_one(ptr %.520.i, ptr nonnull %arg.m.4, i64 %.439.us.us.i, i64 0, i64 %size.2.0.us.us.i, i64 %count.2.0.us.us.i)
  %.536.fca.0.load.us.us.i = load i64, ptr %.520.i, align 8, !noalias !327
  %.536.fca.1.load.us.us.i = load i64, ptr %.fca.1.gep.i, align 8, !noalias !327
  %.559.us.us.i = icmp eq i64 %.536.fca.0.load.us.us.i, -3
  %.562.us.us.i = icmp eq i64 %.536.fca.1.load.us.us.i, -3
  %or.cond.us.us.i = select i1 %.559.us.us.i, i1 true, i1 %.562.us.us.i
  br i1 %or.cond.us.us.i, label %leaves.open_options.exit, label %B204.us.us.i

B204.us.i:                                        ; preds = %entry.split.us.i, %B204.if.us.i
  %.301.0.us.i = phi i64 [ %.373.us.i, %B204.if.us.i ], [ %spec.select.i1058, %entry.split.us.i ]
  %.298.0.us.i = phi i64 [ %.377.us.i, %B204.if.us.i ], [ %.165.i, %entry.split.us.i ]
  %count.2.0.us.i = phi i64 [ %.536.fca.1.load.us.i, %B204.if.us.i ], [ %count.6.1, %entry.split.us.i ]
  %size.2.0.us.i = phi i64 [ %.536.fca.0.load.us.i, %B204.if.us.i ], [ %.459, %entry.split.us.i ]
  %.364.us.i = icmp sgt i64 %.301.0.us.i, 0
  br i1 %.364.us.i, label %B204.if.us.i, label %leaves.open_options.exit

B204.if.us.i:                                     ; preds = %B204.us.i
  %.373.us.i = add nsw i64 %.301.0.us.i, -1
  %.377.us.i = add i64 %.298.0.us.i, 1
  %.423.us.i = icmp slt i64 %.298.0.us.i, 0
  %.424.us.i = select i1 %.423.us.i, i64 %.83.i, i64 0
  %3 = getelementptr i64, ptr %.89.i, i64 %.298.0.us.i
  %.438.us.i = getelementptr i64, ptr %3, i64 %.424.us.i
  %.439.us.i = load i64, ptr %.438.us.i, align 8, !noalias !327
  call fastcc void @leaves.open_one(ptr %.520.i, ptr nonnull %arg.m.4, i64 %.439.us.i, i64 0, i64 %size.2.0.us.i, i64 %count.2.0.us.i)
  %.536.fca.0.load.us.i = load i64, ptr %.520.i, align 8, !noalias !327
  %.536.fca.1.load.us.i = load i64, ptr %.fca.1.gep.i, align 8, !noalias !327
  %.559.us.i = icmp eq i64 %.536.fca.0.load.us.i, -3
  %.562.us.i = icmp eq i64 %.536.fca.1.load.us.i, -3
  %or.cond.us.i = select i1 %.559.us.i, i1 true, i1 %.562.us.i
  br i1 %or.cond.us.i, label %leaves.open_options.exit, label %B204.us.i

B204.i:                                           ; preds = %B1038, %B278.i
  %.301.0.i = phi i64 [ %.373.i, %B278.i ], [ %spec.select.i1058, %B1038 ]
  %.298.0.i = phi i64 [ %.377.i, %B278.i ], [ %.165.i, %B1038 ]
  %count.2.0.i = phi i64 [ %.536.fca.1.load.i, %B278.i ], [ %count.6.1, %B1038 ]
  %size.2.0.i = phi i64 [ %.536.fca.0.load.i, %B278.i ], [ %.459, %B1038 ]
  %.364.i = icmp sgt i64 %.301.0.i, 0
  br i1 %.364.i, label %B204.if.i, label %leaves.open_options.exit

B242.i:                                           ; preds = %B204.if.i
  %.30.i.i = load i64, ptr %arg.m.4, align 8, !noalias !330
  %.33.i.i = load i64, ptr %.133, align 8, !noalias !330
  %.39.i.i = inttoptr i64 %.30.i.i to ptr
  %.72.i.i = load i64, ptr %.26, align 8, !noalias !330
  %.75.i.i = load i64, ptr %.29, align 8, !noalias !330
  %.81.i.i = inttoptr i64 %.72.i.i to ptr
  %.139.i.i = select i1 %.771, i64 %.33.i.i, i64 0
  %.140.i.i = add i64 %.139.i.i, %arg.node.fr.i
  %.164.idx.i.i = shl i64 %.140.i.i, 6
  %.164.i.i = getelementptr i8, ptr %.39.i.i, i64 %.164.idx.i.i
  %.165.i.i = load i64, ptr %.164.i.i, align 8, !noalias !330
  %.166.i.i = icmp eq i64 %.165.i.i, 6
  br i1 %.166.i.i, label %B136.i.i, label %B222.i.i.preheader

B136.i.i:                                         ; preds = %B242.i
  %.221.i.i = getelementptr i8, ptr %.164.i.i, i64 32
  %.222.i.i = load i64, ptr %.221.i.i, align 8, !noalias !330
  %.223.not.i.i = icmp eq i64 %.222.i.i, 0
  br i1 %.223.not.i.i, label %B222.i.i.preheader, label %leaves.past.exit.i

B222.i.i.preheader:                               ; preds = %B136.i.i, %B242.i
  br label %B222.i.i

B222.i.i:                                         ; preds = %B222.i.i.preheader, %B450.i.i
  %rest.3.1.i.i = phi i64 [ %rest.4.2.i.i, %B450.i.i ], [ %arg.rest.fr.i, %B222.i.i.preheader ]
  %.289.i.i = icmp slt i64 %rest.3.1.i.i, 0
  %.290.i.i = select i1 %.289.i.i, i64 %.75.i.i, i64 0
  %.291.i.i = add i64 %.290.i.i, %rest.3.1.i.i
  %.315.idx.i.i = shl i64 %.291.i.i, 6
  %.315.i.i = getelementptr i8, ptr %.81.i.i, i64 %.315.idx.i.i
  %.316.i.i = load i64, ptr %.315.i.i, align 8, !noalias !330
  %.370.i.i = getelementptr i8, ptr %.315.i.i, i64 8
  %.371.i.i = load i64, ptr %.370.i.i, align 8, !noalias !330
  %.380.i.i = icmp eq i64 %.316.i.i, %arg.node.fr.i
  br i1 %.380.i.i, label %B450.i.i, label %B300.i.i

B300.i.i:                                         ; preds = %B222.i.i
  %.420.i.i = icmp slt i64 %.316.i.i, 0
  %.421.i.i = select i1 %.420.i.i, i64 %.33.i.i, i64 0
  %.422.i.i = add i64 %.421.i.i, %.316.i.i
  %.446.idx.i.i = shl i64 %.422.i.i, 6
  %.446.i.i = getelementptr i8, ptr %.39.i.i, i64 %.446.idx.i.i
  %.447.i.i = load i64, ptr %.446.i.i, align 8, !noalias !330
  %.448.i.i = icmp eq i64 %.447.i.i, 2
  br i1 %.448.i.i, label %B348.i.i, label %leaves.past.exit.i

B348.i.i:                                         ; preds = %B300.i.i
  %.503.i.i = getelementptr i8, ptr %.446.i.i, i64 8
  %.504.i.i = load i64, ptr %.503.i.i, align 8, !noalias !330
  %.506.i.i = icmp eq i64 %.504.i.i, %arg.node.fr.i
  br i1 %.506.i.i, label %B386.i.i, label %leaves.past.exit.i

B386.i.i:                                         ; preds = %B348.i.i
  %.566.i.i = getelementptr i8, ptr %.446.i.i, i64 16
  %.567.i.i = load i64, ptr %.566.i.i, align 8, !noalias !330
  store i64 0, ptr %.570.i.i, align 8, !noalias !330
  call fastcc void @terms.push(ptr %.570.i.i, ptr nonnull %arg.m.4, i64 %.567.i.i, i64 %.371.i.i)
  %.586.i.i = load i64, ptr %.570.i.i, align 8, !noalias !330
  br label %B450.i.i

B450.i.i:                                         ; preds = %B386.i.i, %B222.i.i
  %rest.4.2.i.i = phi i64 [ %.586.i.i, %B386.i.i ], [ %.371.i.i, %B222.i.i ]
  switch i64 %rest.4.2.i.i, label %B222.i.i [
    i64 -3, label %leaves.past.exit.i
    i64 0, label %leaves.past.exit.i
  ]

leaves.past.exit.i:                               ; preds = %B450.i.i, %B450.i.i, %B348.i.i, %B300.i.i, %B136.i.i
  %storemerge.i.i = phi i64 [ %arg.rest.fr.i, %B136.i.i ], [ %rest.4.2.i.i, %B450.i.i ], [ %rest.3.1.i.i, %B348.i.i ], [ %rest.3.1.i.i, %B300.i.i ], [ %rest.4.2.i.i, %B450.i.i ]
  %.514.pre.i = load i64, ptr %.438.i, align 8, !noalias !327
  br label %B278.i

B278.i:                                           ; preds = %B204.if.i, %leaves.past.exit.i
  %.514.i = phi i64 [ %.514.pre.i, %leaves.past.exit.i ], [ %.439.i, %B204.if.i ]
  %"$phi278.1.2.1.i" = phi i64 [ %storemerge.i.i, %leaves.past.exit.i ], [ %arg.rest.fr.i, %B204.if.i ]
  call fastcc void @leaves.open_one(ptr %.520.i, ptr nonnull %arg.m.4, i64 %.514.i, i64 %"$phi278.1.2.1.i", i64 %size.2.0.i, i64 %count.2.0.i)
  %.536.fca.0.load.i = load i64, ptr %.520.i, align 8, !noalias !327
  %.536.fca.1.load.i = load i64, ptr %.fca.1.gep.i, align 8, !noalias !327
  %.559.i = icmp eq i64 %.536.fca.0.load.i, -3
  %.562.i = icmp eq i64 %.536.fca.1.load.i, -3
  %or.cond.i1059 = select i1 %.559.i, i1 true, i1 %.562.i
  br i1 %or.cond.i1059, label %leaves.open_options.exit, label %B204.i

B204.if.i:                                        ; preds = %B204.i
  %.373.i = add nsw i64 %.301.0.i, -1
  %.377.i = add i64 %.298.0.i, 1
  %.423.i = icmp slt i64 %.298.0.i, 0
  %.424.i = select i1 %.423.i, i64 %.83.i, i64 0
  %4 = getelementptr i64, ptr %.89.i, i64 %.298.0.i
  %.438.i = getelementptr i64, ptr %4, i64 %.424.i
  %.439.i = load i64, ptr %.438.i, align 8, !noalias !327
  %.440.i = icmp eq i64 %.439.i, 0
  br i1 %.440.i, label %B242.i, label %B278.i

leaves.open_options.exit:                         ; preds = %B204.i, %B278.i, %B204.us.i, %B204.if.us.i, %B204.us.us.i, %B204.if.us.us.i
  %.us-phi.i = phi i64 [ %.536.fca.0.load.us.i, %B204.if.us.i ], [ %.536.fca.0.load.us.us.i, %B204.if.us.us.i ], [ %size.2.0.us.us.i, %B204.us.us.i ], [ %size.2.0.us.i, %B204.us.i ], [ %.536.fca.0.load.i, %B278.i ], [ %size.2.0.i, %B204.i ]
  %.us-phi1.i = phi i64 [ %.536.fca.1.load.us.i, %B204.if.us.i ], [ %.536.fca.1.load.us.us.i, %B204.if.us.us.i ], [ %count.2.0.us.us.i, %B204.us.us.i ], [ %count.2.0.us.i, %B204.us.i ], [ %.536.fca.1.load.i, %B278.i ], [ %count.2.0.i, %B204.i ]
  br label %B1266

B1106:                                            ; preds = %B1016
  %.27.i.i = load i64, ptr %arg.m.4, align 8, !noalias !333
  %.30.i.i1060 = load i64, ptr %.133, align 8, !noalias !333
  %.36.i.i = inttoptr i64 %.27.i.i to ptr
  %.91.i.i = select i1 %.771, i64 %.30.i.i1060, i64 0
  %.92.i.i = add i64 %.91.i.i, %arg.node.fr.i
  %.idx.i.i = shl i64 %.92.i.i, 6
  %5 = getelementptr i8, ptr %.36.i.i, i64 %.idx.i.i
  %.116.i.i = getelementptr i8, ptr %5, i64 48
  %.117.i.i = load i64, ptr %.116.i.i, align 8, !noalias !333
  %.118.i.i = icmp slt i64 %.117.i.i, 0
  br i1 %.118.i.i, label %B84.i.i, label %B98.i

B84.i.i:                                          ; preds = %B1106
  %.173.i.i = getelementptr i8, ptr %5, i64 8
  %.174.i.i = load i64, ptr %.173.i.i, align 8, !noalias !333
  %.228.i.i = getelementptr i8, ptr %5, i64 16
  %.229.i.i = load i64, ptr %.228.i.i, align 8, !noalias !333
  %.283.i.i = getelementptr i8, ptr %5, i64 24
  %.284.i.i = load i64, ptr %.283.i.i, align 8, !noalias !333
  %.295.i.i = icmp eq i64 %.284.i.i, 1
  br i1 %.295.i.i, label %terms.after_one_round.exit.thread7.i, label %B228.i.i

terms.after_one_round.exit.thread7.i:             ; preds = %B84.i.i
  store i64 0, ptr %.116.i.i, align 8, !noalias !333
  br label %B98.i

B228.i.i:                                         ; preds = %B84.i.i
  %.310.i.i = icmp eq i64 %.284.i.i, -1
  %.313.i.i = icmp eq i64 %.229.i.i, 0
  %or.cond.i.i = select i1 %.310.i.i, i1 %.313.i.i, i1 false
  br i1 %or.cond.i.i, label %terms.after_one_round.exit.i, label %B268.i.i

B268.i.i:                                         ; preds = %B228.i.i
  %.50.i.i.i.i = load i64, ptr %.49.i.i.i.i, align 8, !noalias !338
  %.84.not.not.i.i.i.i = icmp slt i64 %.50.i.i.i.i, %.30.i.i1060
  br i1 %.84.not.not.i.i.i.i, label %terms.new_node.exit.i.i, label %terms.new_node.exit.thread.i.i

terms.new_node.exit.thread.i.i:                   ; preds = %B268.i.i
  store i64 0, ptr %.122.i.i.i.i, align 8, !noalias !338
  br label %leaves.open_repeat.exit

terms.new_node.exit.i.i:                          ; preds = %B268.i.i
  %6 = tail call i64 @llvm.smax.i64(i64 %.229.i.i, i64 1)
  %.11.i.i.i = add nsw i64 %6, -1
  %.386.i.i = icmp eq i64 %.11.i.i.i, 0
  %.388.i.i = zext i1 %.386.i.i to i64
  %.375.i.i = add nsw i64 %.284.i.i, -1
  %"$phi340.0.2.0.i.i" = select i1 %.310.i.i, i64 -1, i64 %.375.i.i
  %.212.i.i.i = icmp slt i64 %.50.i.i.i.i, 0
  %.213.i.i.i = select i1 %.212.i.i.i, i64 %.30.i.i1060, i64 0
  %.214.i.i.i = add i64 %.213.i.i.i, %.50.i.i.i.i
  %.238.idx.i.i.i = shl i64 %.214.i.i.i, 6
  %.238.i.i.i = getelementptr i8, ptr %.36.i.i, i64 %.238.idx.i.i.i
  store i64 4, ptr %.238.i.i.i, align 8, !noalias !343
  %.291.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 8
  store i64 %.174.i.i, ptr %.291.i.i.i, align 8, !noalias !343
  %.344.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 16
  store i64 %.11.i.i.i, ptr %.344.i.i.i, align 8, !noalias !343
  %.397.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 24
  store i64 %"$phi340.0.2.0.i.i", ptr %.397.i.i.i, align 8, !noalias !343
  %.450.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 32
  store i64 0, ptr %.450.i.i.i, align 8, !noalias !343
  %.504.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 40
  store i64 %.388.i.i, ptr %.504.i.i.i, align 8, !noalias !343
  %.559.i.i.i = getelementptr i8, ptr %.238.i.i.i, i64 48
  %.614.i.i.i = add nsw i64 %.50.i.i.i.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i.i, i8 -1, i64 16, i1 false), !noalias !343
  store i64 %.614.i.i.i, ptr %.49.i.i.i.i, align 8, !noalias !343
  %.426.i.i = icmp eq i64 %.50.i.i.i.i, -3
  br i1 %.426.i.i, label %leaves.open_repeat.exit, label %terms.after_one_round.exit.i

terms.after_one_round.exit.i:                     ; preds = %terms.new_node.exit.i.i, %B228.i.i
  %less.3.0.i.i = phi i64 [ %.50.i.i.i.i, %terms.new_node.exit.i.i ], [ %arg.node.fr.i, %B228.i.i ]
  store i64 %less.3.0.i.i, ptr %.116.i.i, align 8, !noalias !333
  %.62.i = icmp eq i64 %less.3.0.i.i, -3
  br i1 %.62.i, label %leaves.open_repeat.exit, label %B98.i

B98.i:                                            ; preds = %terms.after_one_round.exit.i, %terms.after_one_round.exit.thread7.i, %B1106
  %storemerge.i6.i = phi i64 [ 0, %terms.after_one_round.exit.thread7.i ], [ %less.3.0.i.i, %terms.after_one_round.exit.i ], [ %.117.i.i, %B1106 ]
  store i64 0, ptr %.76.i, align 8, !noalias !344
  call fastcc void @terms.push(ptr %.76.i, ptr nonnull %arg.m.4, i64 %storemerge.i6.i, i64 %arg.rest.fr.i)
  %.92.i = load i64, ptr %.76.i, align 8, !noalias !344
  br label %leaves.open_repeat.exit

leaves.open_repeat.exit:                          ; preds = %terms.new_node.exit.thread.i.i, %terms.new_node.exit.i.i, %terms.after_one_round.exit.i, %B98.i
  %"$phi130.0.2.0.i" = phi i64 [ %.92.i, %B98.i ], [ -3, %terms.after_one_round.exit.i ], [ -3, %terms.new_node.exit.thread.i.i ], [ -3, %terms.new_node.exit.i.i ]
  %.122.i = load i64, ptr %arg.m.4, align 8, !noalias !344
  %.125.i = load i64, ptr %.133, align 8, !noalias !344
  %.131.i = inttoptr i64 %.122.i to ptr
  %.184.i = select i1 %.771, i64 %.125.i, i64 0
  %.185.i = add i64 %.184.i, %arg.node.fr.i
  %.idx.i1063 = shl i64 %.185.i, 6
  %7 = getelementptr i8, ptr %.131.i, i64 %.idx.i1063
  %.209.i = getelementptr i8, ptr %7, i64 8
  %.210.i1064 = load i64, ptr %.209.i, align 8, !noalias !344
  call fastcc void @leaves.open_one(ptr %.214.i, ptr nonnull %arg.m.4, i64 %.210.i1064, i64 %"$phi130.0.2.0.i", i64 %.459, i64 %count.6.1)
  %.230.fca.0.load.i = load i64, ptr %.214.i, align 8, !noalias !344
  %.230.fca.1.load.i = load i64, ptr %.fca.1.gep.i1062, align 8, !noalias !344
  br label %B1266

B1266.thread:                                     ; preds = %B1016, %B1016
  call fastcc void @leaves.append_leaf(ptr %.1142, ptr nonnull %arg.m.4, i64 %arg.node.fr.i, i64 %arg.rest.fr.i, i64 %count.6.1)
  %.1158 = load i64, ptr %.1142, align 8
  br label %B1278

B1222:                                            ; preds = %B1016
  store i64 0, ptr %.27.i, align 8, !noalias !345
  call fastcc void @terms.edges_of(ptr %.27.i, ptr nonnull %arg.m.4, i64 %arg.node.fr.i)
  %.43.i = load i64, ptr %.27.i, align 8, !noalias !345
  %.64.i = load i64, ptr %.79.i, align 8, !noalias !345
  %.67.i = load i64, ptr %.82.i, align 8, !noalias !345
  %.73.i = inttoptr i64 %.64.i to ptr
  %.100.i = icmp eq i64 %.43.i, -3
  br i1 %.100.i, label %leaves.open_edges.exit, label %B144.i

B144.i:                                           ; preds = %B1222
  %.145.i = icmp slt i64 %.43.i, 0
  %.146.i = select i1 %.145.i, i64 %.67.i, i64 0
  %8 = getelementptr i64, ptr %.73.i, i64 %.43.i
  %.160.i = getelementptr i64, ptr %8, i64 %.146.i
  %.161.i = load i64, ptr %.160.i, align 8, !noalias !345
  %spec.select.i1071 = tail call i64 @llvm.smax.i64(i64 %.161.i, i64 0)
  %.293.i = add nsw i64 %.43.i, 1
  %.328.i = add nsw i64 %.43.i, 2
  br label %B186.i1072

B186.i1072:                                       ; preds = %terms.push_tail.exit.i, %B144.i
  %.185.0.i = phi i64 [ 0, %B144.i ], [ %.262.i, %terms.push_tail.exit.i ]
  %size.2.0.i1073 = phi i64 [ %.459, %B144.i ], [ %.408.fca.0.load.i, %terms.push_tail.exit.i ]
  %count.2.0.i1074 = phi i64 [ %count.6.1, %B144.i ], [ %.408.fca.1.load.i, %terms.push_tail.exit.i ]
  %exitcond.not.i = icmp eq i64 %.185.0.i, %spec.select.i1071
  br i1 %exitcond.not.i, label %leaves.open_edges.exit, label %B186.if.i

B186.if.i:                                        ; preds = %B186.i1072
  %.262.i = add nuw i64 %.185.0.i, 1
  %9 = shl nsw i64 %.185.0.i, 1
  %.295.i = add nsw i64 %.293.i, %9
  %.309.i = icmp slt i64 %.295.i, 0
  %.310.i = select i1 %.309.i, i64 %.67.i, i64 0
  %10 = getelementptr i64, ptr %.73.i, i64 %.295.i
  %.324.i = getelementptr i64, ptr %10, i64 %.310.i
  %.325.i1075 = load i64, ptr %.324.i, align 8, !noalias !345
  %.330.i = add nsw i64 %.328.i, %9
  %.344.i = icmp slt i64 %.330.i, 0
  %.345.i = select i1 %.344.i, i64 %.67.i, i64 0
  %11 = getelementptr i64, ptr %.73.i, i64 %.330.i
  %.359.i = getelementptr i64, ptr %11, i64 %.345.i
  %.360.i = load i64, ptr %.359.i, align 8, !noalias !345
  %.38.i.i = load i64, ptr %arg.m.4, align 8, !noalias !348
  %.41.i.i = load i64, ptr %.133, align 8, !noalias !348
  %.47.i.i = inttoptr i64 %.38.i.i to ptr
  %.101.i.i = icmp slt i64 %.360.i, 0
  %.102.i.i = select i1 %.101.i.i, i64 %.41.i.i, i64 0
  %.103.i.i = add i64 %.102.i.i, %.360.i
  %.127.idx.i.i = shl i64 %.103.i.i, 6
  %.127.i.i = getelementptr i8, ptr %.47.i.i, i64 %.127.idx.i.i
  %.128.i.i = load i64, ptr %.127.i.i, align 8, !noalias !348
  %.129.i.i = icmp eq i64 %.128.i.i, 2
  br i1 %.129.i.i, label %B94.i.i, label %B220.i.i

B94.i.i:                                          ; preds = %B186.if.i
  %.189.i.i = getelementptr i8, ptr %.127.i.i, i64 16
  %.190.i.i = load i64, ptr %.189.i.i, align 8, !noalias !348
  store i64 0, ptr %.193.i.i, align 8, !noalias !348
  call fastcc void @terms.push(ptr %.193.i.i, ptr nonnull %arg.m.4, i64 %.190.i.i, i64 %arg.rest.fr.i)
  %.209.i.i = load i64, ptr %.193.i.i, align 8, !noalias !348
  %.227.i.i = icmp eq i64 %.209.i.i, -3
  br i1 %.227.i.i, label %terms.push_tail.exit.i, label %B190.i.i

B190.i.i:                                         ; preds = %B94.i.i
  %.299.i.i = getelementptr i8, ptr %.127.i.i, i64 8
  %.300.i.i = load i64, ptr %.299.i.i, align 8, !noalias !348
  br label %B220.i.i

B220.i.i:                                         ; preds = %B190.i.i, %B186.if.i
  %rest.2.0.i.i = phi i64 [ %.209.i.i, %B190.i.i ], [ %arg.rest.fr.i, %B186.if.i ]
  %node.2.0.i.i = phi i64 [ %.300.i.i, %B190.i.i ], [ %.360.i, %B186.if.i ]
  store i64 0, ptr %.316.i.i1069, align 8, !noalias !348
  call fastcc void @terms.push(ptr %.316.i.i1069, ptr nonnull %arg.m.4, i64 %node.2.0.i.i, i64 %rest.2.0.i.i)
  %.332.i.i = load i64, ptr %.316.i.i1069, align 8, !noalias !348
  br label %terms.push_tail.exit.i

terms.push_tail.exit.i:                           ; preds = %B220.i.i, %B94.i.i
  %storemerge.i.i1076 = phi i64 [ %.332.i.i, %B220.i.i ], [ -3, %B94.i.i ]
  call fastcc void @leaves.open_one(ptr %.392.i, ptr nonnull %arg.m.4, i64 %.325.i1075, i64 %storemerge.i.i1076, i64 %size.2.0.i1073, i64 %count.2.0.i1074)
  %.408.fca.0.load.i = load i64, ptr %.392.i, align 8, !noalias !345
  %.408.fca.1.load.i = load i64, ptr %.fca.1.gep.i1070, align 8, !noalias !345
  %.431.i = icmp eq i64 %.408.fca.0.load.i, -3
  %.434.i = icmp eq i64 %.408.fca.1.load.i, -3
  %or.cond.i1077 = select i1 %.431.i, i1 true, i1 %.434.i
  br i1 %or.cond.i1077, label %leaves.open_edges.exit, label %B186.i1072

leaves.open_edges.exit:                           ; preds = %B186.i1072, %terms.push_tail.exit.i, %B1222
  %size.3.1.sink.i = phi i64 [ -3, %B1222 ], [ %.408.fca.0.load.i, %terms.push_tail.exit.i ], [ %size.2.0.i1073, %B186.i1072 ]
  %count.3.1.sink.i = phi i64 [ %count.6.1, %B1222 ], [ %.408.fca.1.load.i, %terms.push_tail.exit.i ], [ %count.2.0.i1074, %B186.i1072 ]
  br label %B1266

B1266:                                            ; preds = %leaves.open_edges.exit, %leaves.open_repeat.exit, %leaves.open_options.exit
  %size.9.2 = phi i64 [ %.us-phi.i, %leaves.open_options.exit ], [ %.230.fca.0.load.i, %leaves.open_repeat.exit ], [ %size.3.1.sink.i, %leaves.open_edges.exit ]
  %count.8.2 = phi i64 [ %.us-phi1.i, %leaves.open_options.exit ], [ %.230.fca.1.load.i, %leaves.open_repeat.exit ], [ %count.3.1.sink.i, %leaves.open_edges.exit ]
  %.1221 = icmp sgt i64 %size.9.2, -1
  br i1 %.1221, label %B1278, label %B1394

B1278:                                            ; preds = %B1266.thread, %B1266
  %count.8.229 = phi i64 [ %.1158, %B1266.thread ], [ %count.8.2, %B1266 ]
  %size.9.227 = phi i64 [ %.459, %B1266.thread ], [ %size.9.2, %B1266 ]
  %.1279 = getelementptr i8, ptr %.797, i64 40
  %.1280 = load i64, ptr %.1279, align 8
  %.1281.not = icmp eq i64 %.1280, 0
  %.1287.not = icmp eq i64 %.798, 3
  %or.cond1039 = or i1 %.1287.not, %.1281.not
  br i1 %or.cond1039, label %B1394, label %B1330

B1330:                                            ; preds = %B1278
  %.30.i1078 = load i64, ptr %arg.m.4, align 8, !noalias !351
  %.33.i1080 = load i64, ptr %.133, align 8, !noalias !351
  %.39.i1081 = inttoptr i64 %.30.i1078 to ptr
  %.72.i1083 = load i64, ptr %.26, align 8, !noalias !351
  %.75.i1085 = load i64, ptr %.29, align 8, !noalias !351
  %.81.i1086 = inttoptr i64 %.72.i1083 to ptr
  %.139.i1088 = select i1 %.771, i64 %.33.i1080, i64 0
  %.140.i1089 = add i64 %.139.i1088, %arg.node.fr.i
  %.164.idx.i = shl i64 %.140.i1089, 6
  %.164.i1090 = getelementptr i8, ptr %.39.i1081, i64 %.164.idx.i
  %.165.i1091 = load i64, ptr %.164.i1090, align 8, !noalias !351
  %.166.i = icmp eq i64 %.165.i1091, 6
  br i1 %.166.i, label %B136.i, label %B200.i

B136.i:                                           ; preds = %B1330
  %.221.i = getelementptr i8, ptr %.164.i1090, i64 32
  %.222.i = load i64, ptr %.221.i, align 8, !noalias !351
  %.223.not.i = icmp eq i64 %.222.i, 0
  br i1 %.223.not.i, label %B200.i, label %leaves.past.exit

B200.i:                                           ; preds = %B136.i, %B1330
  %.253.not.i = icmp eq i64 %arg.rest.fr.i, 0
  br i1 %.253.not.i, label %B124.i1101.thread, label %B222.i

B222.i:                                           ; preds = %B200.i, %B450.i
  %rest.3.1.i = phi i64 [ %rest.4.2.i, %B450.i ], [ %arg.rest.fr.i, %B200.i ]
  %.289.i = icmp slt i64 %rest.3.1.i, 0
  %.290.i = select i1 %.289.i, i64 %.75.i1085, i64 0
  %.291.i = add i64 %.290.i, %rest.3.1.i
  %.315.idx.i = shl i64 %.291.i, 6
  %.315.i1092 = getelementptr i8, ptr %.81.i1086, i64 %.315.idx.i
  %.316.i = load i64, ptr %.315.i1092, align 8, !noalias !351
  %.370.i = getelementptr i8, ptr %.315.i1092, i64 8
  %.371.i = load i64, ptr %.370.i, align 8, !noalias !351
  %.380.i = icmp eq i64 %.316.i, %arg.node.fr.i
  br i1 %.380.i, label %B450.i, label %B300.i1093

B300.i1093:                                       ; preds = %B222.i
  %.420.i = icmp slt i64 %.316.i, 0
  %.421.i = select i1 %.420.i, i64 %.33.i1080, i64 0
  %.422.i = add i64 %.421.i, %.316.i
  %.446.idx.i = shl i64 %.422.i, 6
  %.446.i = getelementptr i8, ptr %.39.i1081, i64 %.446.idx.i
  %.447.i = load i64, ptr %.446.i, align 8, !noalias !351
  %.448.i = icmp eq i64 %.447.i, 2
  br i1 %.448.i, label %B348.i, label %leaves.past.exit

B348.i:                                           ; preds = %B300.i1093
  %.503.i = getelementptr i8, ptr %.446.i, i64 8
  %.504.i = load i64, ptr %.503.i, align 8, !noalias !351
  %.506.i1094 = icmp eq i64 %.504.i, %arg.node.fr.i
  br i1 %.506.i1094, label %B386.i, label %leaves.past.exit

B386.i:                                           ; preds = %B348.i
  %.566.i = getelementptr i8, ptr %.446.i, i64 16
  %.567.i = load i64, ptr %.566.i, align 8, !noalias !351
  store i64 0, ptr %.570.i, align 8, !noalias !351
  call fastcc void @terms.push(ptr %.570.i, ptr nonnull %arg.m.4, i64 %.567.i, i64 %.371.i)
  %.586.i = load i64, ptr %.570.i, align 8, !noalias !351
  br label %B450.i

B450.i:                                           ; preds = %B386.i, %B222.i
  %rest.4.2.i = phi i64 [ %.586.i, %B386.i ], [ %.371.i, %B222.i ]
  switch i64 %rest.4.2.i, label %B222.i [
    i64 -3, label %leaves.past.exit.thread38
    i64 0, label %B124.i1101.thread
  ]

leaves.past.exit.thread38:                        ; preds = %B450.i
  br label %common.ret

B124.i1101.thread:                                ; preds = %B450.i, %B200.i
  br label %12

leaves.past.exit:                                 ; preds = %B300.i1093, %B348.i, %B136.i
  %storemerge.i = phi i64 [ %arg.rest.fr.i, %B136.i ], [ %rest.3.1.i, %B348.i ], [ %rest.3.1.i, %B300.i1093 ]
  %.108.i1100 = icmp eq i64 %storemerge.i, -3
  br i1 %.108.i1100, label %common.ret, label %B124.i1101

B124.i1101:                                       ; preds = %leaves.past.exit
  %.33.i1106 = load i64, ptr %.29, align 8, !noalias !354
  %.149.i1107 = icmp slt i64 %storemerge.i, 0
  %spec.select96 = select i1 %.149.i1107, i64 %.33.i1106, i64 0
  br label %12

12:                                               ; preds = %B124.i1101, %B124.i1101.thread
  %storemerge.i3554 = phi i64 [ 0, %B124.i1101.thread ], [ %storemerge.i, %B124.i1101 ]
  %13 = phi i64 [ 0, %B124.i1101.thread ], [ %spec.select96, %B124.i1101 ]
  %.81.i10993752.in = load i64, ptr %.220, align 8, !noalias !357
  %.81.i10993752 = inttoptr i64 %.81.i10993752.in to ptr
  %.75.i10983653 = load i64, ptr %.74.i, align 8, !noalias !357
  %.39.i110455.in = load i64, ptr %.26, align 8, !noalias !354
  %.39.i110455 = inttoptr i64 %.39.i110455.in to ptr
  %.151.i1109 = add i64 %13, %storemerge.i3554
  %.idx.i1110 = shl i64 %.151.i1109, 6
  %14 = getelementptr i8, ptr %.39.i110455, i64 %.idx.i1110
  %.175.i1111 = getelementptr i8, ptr %14, i64 40
  %.176.i1112 = load i64, ptr %.175.i1111, align 8, !noalias !354
  %.206.i1114 = load i64, ptr %.322, align 8, !noalias !354
  %.207.i1115 = icmp eq i64 %.176.i1112, %.206.i1114
  br i1 %.207.i1115, label %B1394, label %B188.i1116

B188.i1116:                                       ; preds = %12
  %.224.i = add nsw i64 %size.9.227, 1
  %.50.i.i1118 = load i64, ptr %.49.i.i1117, align 8, !noalias !358
  %.51.i.i1119 = add nsw i64 %.50.i.i1118, %.224.i
  %.84.not.i.i1120 = icmp sgt i64 %.51.i.i1119, %.75.i10983653
  br i1 %.84.not.i.i1120, label %B238.i1124, label %B252.i1121

B238.i1124:                                       ; preds = %B188.i1116
  store i64 30, ptr %.122.i.i.i.i, align 8, !noalias !358
  br label %common.ret

B252.i1121:                                       ; preds = %B188.i1116
  store i64 %.206.i1114, ptr %.175.i1111, align 8, !noalias !354
  %.380.i1122 = icmp slt i64 %size.9.227, 0
  %.381.i = select i1 %.380.i1122, i64 %.75.i10983653, i64 0
  %15 = getelementptr i64, ptr %.81.i10993752, i64 %size.9.227
  %.395.i = getelementptr i64, ptr %15, i64 %.381.i
  store i64 %storemerge.i3554, ptr %.395.i, align 8, !noalias !354
  br label %B1394

B1394:                                            ; preds = %B252.i1121, %12, %B1278, %B1266
  %count.8.228 = phi i64 [ %count.8.229, %B1278 ], [ %count.8.2, %B1266 ], [ %count.8.229, %12 ], [ %count.8.229, %B252.i1121 ]
  %size.8.2 = phi i64 [ %size.9.227, %B1278 ], [ %size.9.2, %B1266 ], [ %size.9.227, %12 ], [ %.224.i, %B252.i1121 ]
  %.1368 = icmp eq i64 %size.8.2, -3
  %.1371 = icmp eq i64 %count.8.228, -3
  %or.cond = select i1 %.1368, i1 true, i1 %.1371
  br i1 %or.cond, label %common.ret, label %B1478

B1478:                                            ; preds = %B1394
  %.1425 = icmp sgt i64 %size.8.2, 0
  br i1 %.1425, label %B530, label %B1492

B1492:                                            ; preds = %B516.loopexit, %B1478, %B124.i, %B110, %B238.i
  %nullable.2.0177 = phi i64 [ 0, %B124.i ], [ %nullable.2.0180, %B1478 ], [ 0, %B238.i ], [ 0, %B110 ], [ 1, %B516.loopexit ]
  %count.9.2 = phi i64 [ 0, %B124.i ], [ %count.8.228, %B1478 ], [ 0, %B238.i ], [ 0, %B110 ], [ %count.6.1, %B516.loopexit ]
  %repeated.5.2 = phi i64 [ -1, %B124.i ], [ %repeated.4.2, %B1478 ], [ -1, %B238.i ], [ -1, %B110 ], [ %repeated.2.1, %B516.loopexit ]
  %quoted.5.2 = phi i64 [ 0, %B124.i ], [ %quoted.4.2, %B1478 ], [ 0, %B238.i ], [ 0, %B110 ], [ %quoted.2.1, %B516.loopexit ]
  %.43.i1127 = sdiv i64 %count.9.2, 9
  %.44.i = srem i64 %count.9.2, 9
  %.44.lobit.i = ashr i64 %.44.i, 63
  %.32.0.i = add nsw i64 %.44.lobit.i, %.43.i1127
  %.65.i = icmp sgt i64 %.32.0.i, 1
  br i1 %.65.i, label %B26.i, label %B72.i.preheader

B26.i:                                            ; preds = %B1492, %B26.i
  %gap.3.0.i = phi i64 [ %.69.i, %B26.i ], [ 1, %B1492 ]
  %.68.i = mul nsw i64 %gap.3.0.i, 3
  %.69.i = add nsw i64 %.68.i, 1
  %.115.i = icmp slt i64 %.69.i, %.32.0.i
  br i1 %.115.i, label %B26.i, label %B72.i.preheader

B72.i.preheader:                                  ; preds = %B26.i, %B1492
  %gap.5.0.i.ph = phi i64 [ 1, %B1492 ], [ %.69.i, %B26.i ]
  br label %B72.i

B72.i:                                            ; preds = %B72.i.preheader, %B262.else.if.i
  %gap.5.0.i = phi i64 [ %.538.i, %B262.else.if.i ], [ %gap.5.0.i.ph, %B72.i.preheader ]
  %.169.i = sub i64 %count.9.2, %gap.5.0.i
  %.2143.not.i = icmp slt i64 %.169.i, 1
  br i1 %.2143.not.i, label %B262.else.if.i, label %B104.if.i

B140.i:                                           ; preds = %B104.if.i
  %.305.i = sub nsw i64 %.156.04.i, %gap.5.0.i
  %.336.i = getelementptr i64, ptr %.268, i64 %.305.i
  %.337.i = load i64, ptr %.336.i, align 8, !noalias !361
  %.339.i = icmp sgt i64 %.337.i, %.281.i
  br i1 %.339.i, label %B170.i, label %B250.i

B170.i:                                           ; preds = %B140.i, %B220.i
  %j.2.3.i = phi i64 [ %.346.i, %B220.i ], [ %.156.04.i, %B140.i ]
  %.346.i = sub nsw i64 %j.2.3.i, %gap.5.0.i
  %.360.i1131 = icmp slt i64 %.346.i, 0
  %.361.i = select i1 %.360.i1131, i64 %.262, i64 0
  %16 = getelementptr i64, ptr %.268, i64 %.346.i
  %.375.i = getelementptr i64, ptr %16, i64 %.361.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !361
  %.406.i = getelementptr i64, ptr %.268, i64 %j.2.3.i
  store i64 %.376.i, ptr %.406.i, align 8, !noalias !361
  %.421.not.i = icmp slt i64 %.346.i, %gap.5.0.i
  br i1 %.421.not.i, label %B250.i, label %B220.i

B220.i:                                           ; preds = %B170.i
  %.431.i1132 = sub nsw i64 %.346.i, %gap.5.0.i
  %.462.i = getelementptr i64, ptr %.268, i64 %.431.i1132
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !361
  %.465.i = icmp sgt i64 %.463.i, %.281.i
  br i1 %.465.i, label %B170.i, label %B250.i

B250.i:                                           ; preds = %B220.i, %B170.i, %B104.if.i, %B140.i
  %.494.pre-phi.i = phi i64 [ %.266.i, %B104.if.i ], [ %.266.i, %B140.i ], [ %.361.i, %B170.i ], [ %.361.i, %B220.i ]
  %j.3.2.i = phi i64 [ %.156.04.i, %B104.if.i ], [ %.156.04.i, %B140.i ], [ %.346.i, %B170.i ], [ %.346.i, %B220.i ]
  %17 = getelementptr i64, ptr %.268, i64 %j.3.2.i
  %.508.i = getelementptr i64, ptr %17, i64 %.494.pre-phi.i
  store i64 %.281.i, ptr %.508.i, align 8, !noalias !361
  %.214.i1129 = icmp sgt i64 %.159.05.i, 1
  br i1 %.214.i1129, label %B104.if.i, label %B262.else.if.i

B284.i:                                           ; preds = %B262.else.if.i
  %.6566.not.i = icmp slt i64 %count.9.2, 1
  br i1 %.6566.not.i, label %leaves.sorted_once.exit.thread, label %B318.if.i

B334.i:                                           ; preds = %B318.if.i
  %.750.inv.i = icmp sgt i64 %kept.2.09.i, 0
  %.751.i = select i1 %.750.inv.i, i64 0, i64 %.262
  %18 = getelementptr i64, ptr %.268, i64 %kept.2.09.i
  %19 = getelementptr i8, ptr %18, i64 -8
  %.765.i = getelementptr i64, ptr %19, i64 %.751.i
  %.766.i = load i64, ptr %.765.i, align 8, !noalias !361
  %.767.not.i = icmp eq i64 %.799.pre.i, %.766.i
  br i1 %.767.not.i, label %B408.i, label %B376.i

B376.i:                                           ; preds = %B318.if.i, %B334.i
  %.816.i = icmp slt i64 %kept.2.09.i, 0
  %.817.i = select i1 %.816.i, i64 %.262, i64 0
  %20 = getelementptr i64, ptr %.268, i64 %kept.2.09.i
  %.831.i = getelementptr i64, ptr %20, i64 %.817.i
  store i64 %.799.pre.i, ptr %.831.i, align 8, !noalias !361
  %.834.i = add nsw i64 %kept.2.09.i, 1
  br label %B408.i

B408.i:                                           ; preds = %B376.i, %B334.i
  %kept.3.2.i = phi i64 [ %.834.i, %B376.i ], [ %kept.2.09.i, %B334.i ]
  %exitcond.not.i1130 = icmp eq i64 %count.9.2, %.669.i
  br i1 %exitcond.not.i1130, label %leaves.sorted_once.exit, label %B318.if.i

B104.if.i:                                        ; preds = %B72.i, %B250.i
  %.159.05.i = phi i64 [ %.223.i, %B250.i ], [ %.169.i, %B72.i ]
  %.156.04.i = phi i64 [ %.227.i, %B250.i ], [ %gap.5.0.i, %B72.i ]
  %.223.i = add nsw i64 %.159.05.i, -1
  %.227.i = add i64 %.156.04.i, 1
  %.265.i = icmp slt i64 %.156.04.i, 0
  %.266.i = select i1 %.265.i, i64 %.262, i64 0
  %21 = getelementptr i64, ptr %.268, i64 %.156.04.i
  %.280.i1128 = getelementptr i64, ptr %21, i64 %.266.i
  %.281.i = load i64, ptr %.280.i1128, align 8, !noalias !361
  %.294.not.i = icmp slt i64 %.156.04.i, %gap.5.0.i
  br i1 %.294.not.i, label %B250.i, label %B140.i

B262.else.if.i:                                   ; preds = %B250.i, %B72.i
  %.538.i = udiv i64 %gap.5.0.i, 3
  %.562.not.i = icmp ult i64 %gap.5.0.i, 3
  br i1 %.562.not.i, label %B284.i, label %B72.i

B318.if.i:                                        ; preds = %B284.i, %B408.i
  %kept.2.09.i = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ]
  %.600.07.i = phi i64 [ %.669.i, %B408.i ], [ 0, %B284.i ]
  %.669.i = add nuw nsw i64 %.600.07.i, 1
  %.698.i = icmp eq i64 %kept.2.09.i, 0
  %.phi.trans.insert.i = getelementptr i64, ptr %.268, i64 %.600.07.i
  %.799.pre.i = load i64, ptr %.phi.trans.insert.i, align 8, !noalias !361
  br i1 %.698.i, label %B376.i, label %B334.i

leaves.sorted_once.exit:                          ; preds = %B408.i
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 104
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !364
  %.51.i = add nsw i64 %.50.i, %kept.3.2.i
  %.82.i1133 = getelementptr i8, ptr %arg.m.4, i64 112
  %.83.i1134 = load i64, ptr %.82.i1133, align 8, !noalias !364
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i1134
  br i1 %.84.not.i, label %B1568, label %B1712.preheader

leaves.sorted_once.exit.thread:                   ; preds = %B284.i
  %.49.i64 = getelementptr i8, ptr %arg.m.4, i64 104
  %.50.i65 = load i64, ptr %.49.i64, align 8, !noalias !367
  %.82.i113367 = getelementptr i8, ptr %arg.m.4, i64 112
  %.83.i113468 = load i64, ptr %.82.i113367, align 8, !noalias !367
  %.84.not.i69 = icmp sgt i64 %.50.i65, %.83.i113468
  br i1 %.84.not.i69, label %B1568, label %B1746

B1568:                                            ; preds = %leaves.sorted_once.exit.thread, %leaves.sorted_once.exit
  %.122.i1136 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 12, ptr %.122.i1136, align 8, !noalias !364
  br label %common.ret

B1712.preheader:                                  ; preds = %leaves.sorted_once.exit
  %.158694.ph.in.in = getelementptr i8, ptr %arg.m.4, i64 96
  %.158694.ph.in = load i64, ptr %.158694.ph.in.in, align 8
  %.158694.ph = inttoptr i64 %.158694.ph.in to ptr
  %.1692188.not = icmp slt i64 %kept.3.2.i, 1
  br i1 %.1692188.not, label %B1746, label %B1712.if.preheader

B1712.if.preheader:                               ; preds = %B1712.preheader
  %xtraiter = and i64 %kept.3.2.i, 1
  %22 = icmp eq i64 %kept.3.2.i, 1
  br i1 %22, label %B1712.if.epil.preheader, label %B1712.if.preheader.new

B1712.if.preheader.new:                           ; preds = %B1712.if.preheader
  %unroll_iter = and i64 %kept.3.2.i, 9223372036854775806
  br label %B1712.if

B1746.loopexit.unr-lcssa:                         ; preds = %B1712.if
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B1746, label %B1712.if.epil.preheader

B1712.if.epil.preheader:                          ; preds = %B1746.loopexit.unr-lcssa, %B1712.if.preheader
  %.1636.0189.epil.init = phi i64 [ 0, %B1712.if.preheader ], [ %.1705.1, %B1746.loopexit.unr-lcssa ]
  %lcmp.mod103 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod103)
  %23 = getelementptr i64, ptr %.268, i64 %.1636.0189.epil.init
  %.1759.epil = load i64, ptr %23, align 8
  %.1761.epil = add nsw i64 %.1636.0189.epil.init, %.50.i
  %.1775.epil = icmp slt i64 %.1761.epil, 0
  %.1776.epil = select i1 %.1775.epil, i64 %.83.i1134, i64 0
  %24 = getelementptr i64, ptr %.158694.ph, i64 %.1761.epil
  %.1790.epil = getelementptr i64, ptr %24, i64 %.1776.epil
  store i64 %.1759.epil, ptr %.1790.epil, align 8
  br label %B1746

B1746:                                            ; preds = %B1712.if.epil.preheader, %B1746.loopexit.unr-lcssa, %leaves.sorted_once.exit.thread, %B1712.preheader
  %.51.i7386.ph272 = phi i64 [ %.50.i65, %leaves.sorted_once.exit.thread ], [ %.51.i, %B1712.preheader ], [ %.51.i, %B1746.loopexit.unr-lcssa ], [ %.51.i, %B1712.if.epil.preheader ]
  %.50.i7288.ph271 = phi i64 [ %.50.i65, %leaves.sorted_once.exit.thread ], [ %.50.i, %B1712.preheader ], [ %.50.i, %B1746.loopexit.unr-lcssa ], [ %.50.i, %B1712.if.epil.preheader ]
  %.49.i7190.ph270 = phi ptr [ %.49.i64, %leaves.sorted_once.exit.thread ], [ %.49.i, %B1712.preheader ], [ %.49.i, %B1746.loopexit.unr-lcssa ], [ %.49.i, %B1712.if.epil.preheader ]
  %kept.2.0.lcssa.i7092.ph269 = phi i64 [ 0, %leaves.sorted_once.exit.thread ], [ %kept.3.2.i, %B1712.preheader ], [ %kept.3.2.i, %B1746.loopexit.unr-lcssa ], [ %kept.3.2.i, %B1712.if.epil.preheader ]
  store i64 %.51.i7386.ph272, ptr %.49.i7190.ph270, align 8
  store i64 %.50.i7288.ph271, ptr %.112, align 8
  %.1949 = getelementptr i8, ptr %0, i64 24
  store i64 %kept.2.0.lcssa.i7092.ph269, ptr %.1949, align 8
  %.2007 = getelementptr i8, ptr %0, i64 56
  store i64 %repeated.5.2, ptr %.2007, align 8
  %.2013 = or i64 %quoted.5.2, %nullable.2.0177
  %.2073 = getelementptr i8, ptr %0, i64 32
  store i64 %.2013, ptr %.2073, align 8
  br label %common.ret

B842.endif.endif:                                 ; preds = %B458.i, %B362.i, %B68.i, %B164.i
  %node.3.0.i11 = phi i64 [ %.549, %B68.i ], [ %.549, %B164.i ], [ %.5076.i, %B362.i ], [ %.5076.i, %B458.i ]
  %rest.4.0.i10 = phi i64 [ %.634, %B68.i ], [ %.634, %B164.i ], [ %rest.3.25.i, %B362.i ], [ %rest.3.25.i, %B458.i ]
  %arg.rest.fr.i = freeze i64 %rest.4.0.i10
  %arg.node.fr.i = freeze i64 %node.3.0.i11
  %.771 = icmp slt i64 %arg.node.fr.i, 0
  %.772 = select i1 %.771, i64 %.134, i64 0
  %.773 = add i64 %.772, %arg.node.fr.i
  %.797.idx = shl i64 %.773, 6
  %.797 = getelementptr i8, ptr %.140, i64 %.797.idx
  %.798 = load i64, ptr %.797, align 8
  %.800 = icmp eq i64 %.459, 0
  %.809 = icmp eq i64 %count.6.1, 0
  %or.cond1038 = select i1 %.800, i1 %.809, i1 false
  %spec.select = and i1 %.814179, %or.cond1038
  %25 = and i64 %.798, -3
  %or.cond.i.not = icmp eq i64 %25, 4
  br i1 %or.cond.i.not, label %B878, label %B978

B1712.if:                                         ; preds = %B1712.if, %B1712.if.preheader.new
  %.1636.0189 = phi i64 [ 0, %B1712.if.preheader.new ], [ %.1705.1, %B1712.if ]
  %niter = phi i64 [ 0, %B1712.if.preheader.new ], [ %niter.next.1, %B1712.if ]
  %.1705 = or i64 %.1636.0189, 1
  %26 = getelementptr i64, ptr %.268, i64 %.1636.0189
  %.1759 = load i64, ptr %26, align 8
  %.1761 = add nsw i64 %.1636.0189, %.50.i
  %.1775 = icmp slt i64 %.1761, 0
  %.1776 = select i1 %.1775, i64 %.83.i1134, i64 0
  %27 = getelementptr i64, ptr %.158694.ph, i64 %.1761
  %.1790 = getelementptr i64, ptr %27, i64 %.1776
  store i64 %.1759, ptr %.1790, align 8
  %.1705.1 = add nuw nsw i64 %.1636.0189, 2
  %28 = getelementptr i64, ptr %.268, i64 %.1705
  %.1759.1 = load i64, ptr %28, align 8
  %.1761.1 = add nsw i64 %.1705, %.50.i
  %.1775.1 = icmp slt i64 %.1761.1, 0
  %.1776.1 = select i1 %.1775.1, i64 %.83.i1134, i64 0
  %29 = getelementptr i64, ptr %.158694.ph, i64 %.1761.1
  %.1790.1 = getelementptr i64, ptr %29, i64 %.1776.1
  store i64 %.1759.1, ptr %.1790.1, align 8
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B1746.loopexit.unr-lcssa, label %B1712.if
}

define internal fastcc void @leaves.unsplit(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.leaf) unnamed_addr {
entry:
  %.539 = alloca i64, align 8
  %.24 = getelementptr i8, ptr %arg.m.4, i64 24
  %.25 = load i64, ptr %.24, align 8
  %.27 = getelementptr i8, ptr %arg.m.4, i64 40
  %.28 = load i64, ptr %.27, align 8
  %.34 = inttoptr i64 %.25 to ptr
  %.62 = getelementptr i8, ptr %arg.m.4, i64 288
  %.63 = load i64, ptr %.62, align 8
  %.65 = getelementptr i8, ptr %arg.m.4, i64 304
  %.66 = load i64, ptr %.65, align 8
  %.72 = inttoptr i64 %.63 to ptr
  %.100 = getelementptr i8, ptr %arg.m.4, i64 48
  %.101 = load i64, ptr %.100, align 8
  %.110 = inttoptr i64 %.101 to ptr
  %.150 = load i64, ptr %arg.m.4, align 8
  %.152 = getelementptr i8, ptr %arg.m.4, i64 16
  %.153 = load i64, ptr %.152, align 8
  %.159 = inttoptr i64 %.150 to ptr
  %.140 = shl i64 %arg.leaf, 3
  %.230 = and i64 %.140, 34359738360
  %.234 = getelementptr i64, ptr %.110, i64 %.230
  %.235 = load i64, ptr %.234, align 8
  %.261 = icmp slt i64 %.235, 0
  %.262 = select i1 %.261, i64 %.153, i64 0
  %.263 = add i64 %.262, %.235
  %.idx = shl i64 %.263, 6
  %0 = getelementptr i8, ptr %.159, i64 %.idx
  %.287 = getelementptr i8, ptr %0, i64 8
  %.288 = load i64, ptr %.287, align 8
  %.340 = getelementptr i8, ptr %.234, i64 8
  %.341 = load i64, ptr %.340, align 8
  %.362 = icmp slt i64 %.288, 0
  %.363 = select i1 %.362, i64 %.28, i64 0
  %1 = getelementptr i64, ptr %.34, i64 %.288
  %.377 = getelementptr i64, ptr %1, i64 %.363
  %.378 = load i64, ptr %.377, align 8
  %.4602.not = icmp slt i64 %.378, 1
  br i1 %.4602.not, label %B468, label %B306.if.lr.ph

B306.if.lr.ph:                                    ; preds = %entry
  %.503 = add nsw i64 %.288, 2
  %.590 = add nsw i64 %.288, 1
  br label %B306.if

common.ret:                                       ; preds = %B306.if, %B408.i, %B284.i
  %storemerge319 = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ], [ -3, %B306.if ]
  store i64 %storemerge319, ptr %retptr, align 8
  ret void

B414:                                             ; preds = %B306.if
  %.473 = add nuw nsw i64 %.402.04, 1
  %.593 = add nsw i64 %.590, %.505
  %.607 = icmp slt i64 %.593, 0
  %.608 = select i1 %.607, i64 %.28, i64 0
  %2 = getelementptr i64, ptr %.34, i64 %.593
  %.622 = getelementptr i64, ptr %2, i64 %.608
  %.623 = load i64, ptr %.622, align 8
  %.624 = shl i64 %.623, 32
  %.626 = or i64 %.624, %.555
  %3 = getelementptr i64, ptr %.72, i64 %.402.04
  store i64 %.626, ptr %3, align 8
  %exitcond.not = icmp eq i64 %.473, %.378
  br i1 %exitcond.not, label %B468.loopexit, label %B306.if

B468.loopexit:                                    ; preds = %B414
  %.702.pre = load i64, ptr %.377, align 8
  br label %B468

B468:                                             ; preds = %B468.loopexit, %entry
  %.702 = phi i64 [ %.702.pre, %B468.loopexit ], [ %.378, %entry ]
  %.43.i = sdiv i64 %.702, 9
  %.44.i = srem i64 %.702, 9
  %.44.lobit.i = ashr i64 %.44.i, 63
  %.32.0.i = add nsw i64 %.44.lobit.i, %.43.i
  %.65.i = icmp sgt i64 %.32.0.i, 1
  br i1 %.65.i, label %B26.i, label %B72.i.preheader

B26.i:                                            ; preds = %B468, %B26.i
  %gap.3.0.i = phi i64 [ %.69.i, %B26.i ], [ 1, %B468 ]
  %.68.i = mul nsw i64 %gap.3.0.i, 3
  %.69.i = add nsw i64 %.68.i, 1
  %.115.i = icmp slt i64 %.69.i, %.32.0.i
  br i1 %.115.i, label %B26.i, label %B72.i.preheader

B72.i.preheader:                                  ; preds = %B26.i, %B468
  %gap.5.0.i.ph = phi i64 [ 1, %B468 ], [ %.69.i, %B26.i ]
  br label %B72.i

B72.i:                                            ; preds = %B72.i.preheader, %B262.else.if.i
  %gap.5.0.i = phi i64 [ %.538.i, %B262.else.if.i ], [ %gap.5.0.i.ph, %B72.i.preheader ]
  %.169.i = sub i64 %.702, %gap.5.0.i
  %.2143.not.i = icmp slt i64 %.169.i, 1
  br i1 %.2143.not.i, label %B262.else.if.i, label %B104.if.i

B140.i:                                           ; preds = %B104.if.i
  %.305.i = sub nsw i64 %.156.04.i, %gap.5.0.i
  %.336.i = getelementptr i64, ptr %.72, i64 %.305.i
  %.337.i = load i64, ptr %.336.i, align 8, !noalias !369
  %.339.i = icmp sgt i64 %.337.i, %.281.i
  br i1 %.339.i, label %B170.i, label %B250.i

B170.i:                                           ; preds = %B140.i, %B220.i
  %j.2.3.i = phi i64 [ %.346.i, %B220.i ], [ %.156.04.i, %B140.i ]
  %.346.i = sub nsw i64 %j.2.3.i, %gap.5.0.i
  %.360.i = icmp slt i64 %.346.i, 0
  %.361.i = select i1 %.360.i, i64 %.66, i64 0
  %4 = getelementptr i64, ptr %.72, i64 %.346.i
  %.375.i = getelementptr i64, ptr %4, i64 %.361.i
  %.376.i = load i64, ptr %.375.i, align 8, !noalias !369
  %.406.i = getelementptr i64, ptr %.72, i64 %j.2.3.i
  store i64 %.376.i, ptr %.406.i, align 8, !noalias !369
  %.421.not.i = icmp slt i64 %.346.i, %gap.5.0.i
  br i1 %.421.not.i, label %B250.i, label %B220.i

B220.i:                                           ; preds = %B170.i
  %.431.i = sub nsw i64 %.346.i, %gap.5.0.i
  %.462.i = getelementptr i64, ptr %.72, i64 %.431.i
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !369
  %.465.i = icmp sgt i64 %.463.i, %.281.i
  br i1 %.465.i, label %B170.i, label %B250.i

B250.i:                                           ; preds = %B220.i, %B170.i, %B104.if.i, %B140.i
  %.494.pre-phi.i = phi i64 [ %.266.i, %B104.if.i ], [ %.266.i, %B140.i ], [ %.361.i, %B170.i ], [ %.361.i, %B220.i ]
  %j.3.2.i = phi i64 [ %.156.04.i, %B104.if.i ], [ %.156.04.i, %B140.i ], [ %.346.i, %B170.i ], [ %.346.i, %B220.i ]
  %5 = getelementptr i64, ptr %.72, i64 %j.3.2.i
  %.508.i = getelementptr i64, ptr %5, i64 %.494.pre-phi.i
  store i64 %.281.i, ptr %.508.i, align 8, !noalias !369
  %.214.i = icmp sgt i64 %.159.05.i, 1
  br i1 %.214.i, label %B104.if.i, label %B262.else.if.i

B284.i:                                           ; preds = %B262.else.if.i
  %.6566.not.i = icmp slt i64 %.702, 1
  br i1 %.6566.not.i, label %common.ret, label %B318.if.i

B334.i:                                           ; preds = %B318.if.i
  %.750.inv.i = icmp sgt i64 %kept.2.09.i, 0
  %.751.i = select i1 %.750.inv.i, i64 0, i64 %.66
  %6 = getelementptr i64, ptr %.72, i64 %kept.2.09.i
  %7 = getelementptr i8, ptr %6, i64 -8
  %.765.i = getelementptr i64, ptr %7, i64 %.751.i
  %.766.i = load i64, ptr %.765.i, align 8, !noalias !369
  %.767.not.i = icmp eq i64 %.799.pre.i, %.766.i
  br i1 %.767.not.i, label %B408.i, label %B376.i

B376.i:                                           ; preds = %B318.if.i, %B334.i
  %.816.i = icmp slt i64 %kept.2.09.i, 0
  %.817.i = select i1 %.816.i, i64 %.66, i64 0
  %8 = getelementptr i64, ptr %.72, i64 %kept.2.09.i
  %.831.i = getelementptr i64, ptr %8, i64 %.817.i
  store i64 %.799.pre.i, ptr %.831.i, align 8, !noalias !369
  %.834.i = add nsw i64 %kept.2.09.i, 1
  br label %B408.i

B408.i:                                           ; preds = %B376.i, %B334.i
  %kept.3.2.i = phi i64 [ %.834.i, %B376.i ], [ %kept.2.09.i, %B334.i ]
  %exitcond.not.i = icmp eq i64 %.702, %.669.i
  br i1 %exitcond.not.i, label %common.ret, label %B318.if.i

B104.if.i:                                        ; preds = %B72.i, %B250.i
  %.159.05.i = phi i64 [ %.223.i, %B250.i ], [ %.169.i, %B72.i ]
  %.156.04.i = phi i64 [ %.227.i, %B250.i ], [ %gap.5.0.i, %B72.i ]
  %.223.i = add nsw i64 %.159.05.i, -1
  %.227.i = add i64 %.156.04.i, 1
  %.265.i = icmp slt i64 %.156.04.i, 0
  %.266.i = select i1 %.265.i, i64 %.66, i64 0
  %9 = getelementptr i64, ptr %.72, i64 %.156.04.i
  %.280.i = getelementptr i64, ptr %9, i64 %.266.i
  %.281.i = load i64, ptr %.280.i, align 8, !noalias !369
  %.294.not.i = icmp slt i64 %.156.04.i, %gap.5.0.i
  br i1 %.294.not.i, label %B250.i, label %B140.i

B262.else.if.i:                                   ; preds = %B250.i, %B72.i
  %.538.i = udiv i64 %gap.5.0.i, 3
  %.562.not.i = icmp ult i64 %gap.5.0.i, 3
  br i1 %.562.not.i, label %B284.i, label %B72.i

B318.if.i:                                        ; preds = %B284.i, %B408.i
  %kept.2.09.i = phi i64 [ %kept.3.2.i, %B408.i ], [ 0, %B284.i ]
  %.600.07.i = phi i64 [ %.669.i, %B408.i ], [ 0, %B284.i ]
  %.669.i = add nuw nsw i64 %.600.07.i, 1
  %.698.i = icmp eq i64 %kept.2.09.i, 0
  %.phi.trans.insert.i = getelementptr i64, ptr %.72, i64 %.600.07.i
  %.799.pre.i = load i64, ptr %.phi.trans.insert.i, align 8, !noalias !369
  br i1 %.698.i, label %B376.i, label %B334.i

B306.if:                                          ; preds = %B306.if.lr.ph, %B414
  %.402.04 = phi i64 [ 0, %B306.if.lr.ph ], [ %.473, %B414 ]
  %.505 = shl nuw nsw i64 %.402.04, 1
  %.506 = add nsw i64 %.503, %.505
  %.520 = icmp slt i64 %.506, 0
  %.521 = select i1 %.520, i64 %.28, i64 0
  %10 = getelementptr i64, ptr %.34, i64 %.506
  %.535 = getelementptr i64, ptr %10, i64 %.521
  %.536 = load i64, ptr %.535, align 8
  store i64 0, ptr %.539, align 8
  call fastcc void @terms.push(ptr %.539, ptr nonnull %arg.m.4, i64 %.536, i64 %.341)
  %.555 = load i64, ptr %.539, align 8
  %.569 = icmp eq i64 %.555, -3
  br i1 %.569, label %common.ret, label %B414
}

define internal fastcc void @states.state_of_leaves(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.table, i64 %arg.at, i64 %arg.count, i64 %arg.accepting) unnamed_addr {
entry:
  %.35 = getelementptr i8, ptr %arg.m.4, i64 120
  %.36 = load i64, ptr %.35, align 8
  %.38 = getelementptr i8, ptr %arg.m.4, i64 136
  %.39 = load i64, ptr %.38, align 8
  %.45 = inttoptr i64 %.36 to ptr
  %.77 = getelementptr i8, ptr %arg.m.4, i64 144
  %.78 = load i64, ptr %.77, align 8
  %.80 = getelementptr i8, ptr %arg.m.4, i64 160
  %.81 = load i64, ptr %.80, align 8
  %.87 = inttoptr i64 %.78 to ptr
  %.115 = getelementptr i8, ptr %arg.m.4, i64 96
  %.116 = load i64, ptr %.115, align 8
  %.118 = getelementptr i8, ptr %arg.m.4, i64 112
  %.119 = load i64, ptr %.118, align 8
  %.125 = inttoptr i64 %.116 to ptr
  %.163 = getelementptr i64, ptr %arg.m.4, i64 %arg.table
  %.164 = load i64, ptr %.163, align 8
  %.166 = getelementptr i8, ptr %.163, i64 16
  %.167 = load i64, ptr %.166, align 8
  %.173 = inttoptr i64 %.164 to ptr
  %.20.i = shl nsw i64 %arg.count, 1
  %.21.i = or i64 %.20.i, %arg.accepting
  %.1061.not.i = icmp sgt i64 %arg.count, 0
  br i1 %.1061.not.i, label %B76.if.i.preheader, label %states.hash_leaves.exit

B76.if.i.preheader:                               ; preds = %entry
  %xtraiter = and i64 %arg.count, 1
  %0 = icmp eq i64 %arg.count, 1
  br i1 %0, label %B76.if.i.epil.preheader, label %B76.if.i.preheader.new

B76.if.i.preheader.new:                           ; preds = %B76.if.i.preheader
  %unroll_iter = and i64 %arg.count, 9223372036854775806
  br label %B76.if.i

B76.if.i:                                         ; preds = %B76.if.i, %B76.if.i.preheader.new
  %h.2.04.i = phi i64 [ %.21.i, %B76.if.i.preheader.new ], [ %.9.i.i.1, %B76.if.i ]
  %.48.03.i = phi i64 [ 0, %B76.if.i.preheader.new ], [ %.119.i.1, %B76.if.i ]
  %niter = phi i64 [ 0, %B76.if.i.preheader.new ], [ %niter.next.1, %B76.if.i ]
  %.119.i = or i64 %.48.03.i, 1
  %.146.i = add nsw i64 %.48.03.i, %arg.at
  %.160.i = icmp slt i64 %.146.i, 0
  %.161.i = select i1 %.160.i, i64 %.167, i64 0
  %1 = getelementptr i64, ptr %.173, i64 %.146.i
  %.175.i = getelementptr i64, ptr %1, i64 %.161.i
  %.176.i = load i64, ptr %.175.i, align 8, !noalias !372
  %.178.i = xor i64 %.176.i, %h.2.04.i
  %.5.i.i = lshr i64 %.178.i, 31
  %.6.i.i = xor i64 %.5.i.i, %.178.i
  %.7.i.i = mul i64 %.6.i.i, -7046029254386353131
  %.8.i.i = lshr i64 %.7.i.i, 29
  %.119.i.1 = add nuw nsw i64 %.48.03.i, 2
  %.146.i.1 = add nsw i64 %.119.i, %arg.at
  %.160.i.1 = icmp slt i64 %.146.i.1, 0
  %.161.i.1 = select i1 %.160.i.1, i64 %.167, i64 0
  %2 = getelementptr i64, ptr %.173, i64 %.146.i.1
  %.175.i.1 = getelementptr i64, ptr %2, i64 %.161.i.1
  %.176.i.1 = load i64, ptr %.175.i.1, align 8, !noalias !372
  %3 = xor i64 %.8.i.i, %.176.i.1
  %.178.i.1 = xor i64 %3, %.7.i.i
  %.5.i.i.1 = lshr i64 %.178.i.1, 31
  %.6.i.i.1 = xor i64 %.5.i.i.1, %.178.i.1
  %.7.i.i.1 = mul i64 %.6.i.i.1, -7046029254386353131
  %.8.i.i.1 = lshr i64 %.7.i.i.1, 29
  %.9.i.i.1 = xor i64 %.8.i.i.1, %.7.i.i.1
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %B8.i.loopexit.unr-lcssa, label %B76.if.i

states.hash_leaves.exit:                          ; preds = %entry
  %.22.not.i = icmp eq i64 %arg.count, 0
  br i1 %.22.not.i, label %states.near_leaves.exit, label %B8.i

B8.i.loopexit.unr-lcssa:                          ; preds = %B76.if.i
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B8.i, label %B76.if.i.epil.preheader

B76.if.i.epil.preheader:                          ; preds = %B8.i.loopexit.unr-lcssa, %B76.if.i.preheader
  %h.2.04.i.epil.init = phi i64 [ %.21.i, %B76.if.i.preheader ], [ %.9.i.i.1, %B8.i.loopexit.unr-lcssa ]
  %.48.03.i.epil.init = phi i64 [ 0, %B76.if.i.preheader ], [ %.119.i.1, %B8.i.loopexit.unr-lcssa ]
  %lcmp.mod4 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod4)
  %.146.i.epil = add nsw i64 %.48.03.i.epil.init, %arg.at
  %.160.i.epil = icmp slt i64 %.146.i.epil, 0
  %.161.i.epil = select i1 %.160.i.epil, i64 %.167, i64 0
  %4 = getelementptr i64, ptr %.173, i64 %.146.i.epil
  %.175.i.epil = getelementptr i64, ptr %4, i64 %.161.i.epil
  %.176.i.epil = load i64, ptr %.175.i.epil, align 8, !noalias !372
  %.178.i.epil = xor i64 %.176.i.epil, %h.2.04.i.epil.init
  %.5.i.i.epil = lshr i64 %.178.i.epil, 31
  %.6.i.i.epil = xor i64 %.5.i.i.epil, %.178.i.epil
  %.7.i.i.epil = mul i64 %.6.i.i.epil, -7046029254386353131
  %.8.i.i.epil = lshr i64 %.7.i.i.epil, 29
  %.9.i.i.epil = xor i64 %.8.i.i.epil, %.7.i.i.epil
  br label %B8.i

B8.i:                                             ; preds = %B76.if.i.epil.preheader, %B8.i.loopexit.unr-lcssa, %states.hash_leaves.exit
  %h.2.0.lcssa.i3 = phi i64 [ %.21.i, %states.hash_leaves.exit ], [ %.9.i.i.1, %B8.i.loopexit.unr-lcssa ], [ %.9.i.i.epil, %B76.if.i.epil.preheader ]
  %.38.i = icmp slt i64 %arg.at, 0
  %.39.i = select i1 %.38.i, i64 %.167, i64 0
  %5 = getelementptr i64, ptr %.173, i64 %arg.at
  %.53.i = getelementptr i64, ptr %5, i64 %.39.i
  %.54.i = load i64, ptr %.53.i, align 8, !noalias !375
  %.59.i = and i64 %.54.i, 4294967295
  br label %states.near_leaves.exit

states.near_leaves.exit:                          ; preds = %states.hash_leaves.exit, %B8.i
  %.22.not.i6 = phi i64 [ -2, %B8.i ], [ -1, %states.hash_leaves.exit ]
  %h.2.0.lcssa.i4 = phi i64 [ %h.2.0.lcssa.i3, %B8.i ], [ %.21.i, %states.hash_leaves.exit ]
  %"$phi58.0.2.0.i" = phi i64 [ %.59.i, %B8.i ], [ 0, %states.hash_leaves.exit ]
  %.73.i = and i64 %h.2.0.lcssa.i4, 7
  %.77.i = add nuw nsw i64 %"$phi58.0.2.0.i", %.73.i
  %.52.i = add nsw i64 %.81, -1
  %.55.i = and i64 %.77.i, %.52.i
  %6 = getelementptr i32, ptr %.87, i64 %.55.i
  %.366 = load i32, ptr %6, align 4
  %.368.not = icmp eq i32 %.366, 0
  br i1 %.368.not, label %B690, label %B356.preheader

B356.preheader:                                   ; preds = %states.near_leaves.exit
  %spec.select13 = tail call i64 @llvm.smax.i64(i64 %arg.count, i64 0)
  %.25.i = lshr i64 %h.2.0.lcssa.i4, 32
  %.27.i = and i64 %h.2.0.lcssa.i4, 268435454
  %.30.i = or i64 %.27.i, 1
  br label %B356

B356:                                             ; preds = %B356.preheader, %B620
  %.405 = phi i32 [ %.901, %B620 ], [ %.366, %B356.preheader ]
  %i.2.0 = phi i64 [ %.837, %B620 ], [ 0, %B356.preheader ]
  %.408 = sext i32 %.405 to i64
  %.409 = add nsw i64 %.408, -1
  %.440 = icmp slt i32 %.405, 1
  %.441 = select i1 %.440, i64 %.39, i64 0
  %.442 = add i64 %.409, %.441
  %.idx = shl i64 %.442, 6
  %7 = getelementptr i8, ptr %.45, i64 %.idx
  %.466 = getelementptr i8, ptr %7, i64 24
  %.467 = load i64, ptr %.466, align 8
  %.469 = icmp eq i64 %.467, %arg.count
  br i1 %.469, label %B442, label %B620

B442:                                             ; preds = %B356
  %.524 = getelementptr i8, ptr %7, i64 32
  %.525 = load i64, ptr %.524, align 8
  %.526 = and i64 %.525, 1
  %.528 = icmp eq i64 %.526, %arg.accepting
  br i1 %.528, label %B486, label %B620

B486:                                             ; preds = %B442
  %.583 = getelementptr i8, ptr %7, i64 16
  %.584 = load i64, ptr %.583, align 8
  br label %B550

B550:                                             ; preds = %B486, %B550.if
  %.615.0 = phi i64 [ 0, %B486 ], [ %.688, %B550.if ]
  %exitcond = icmp eq i64 %.615.0, %spec.select13
  br i1 %exitcond, label %common.ret, label %B550.if

common.ret:                                       ; preds = %B550, %B1332, %B778
  %.1329.sink = phi i64 [ %.1329, %B1332 ], [ -3, %B778 ], [ %.409, %B550 ]
  store i64 %.1329.sink, ptr %retptr, align 8
  ret void

B620:                                             ; preds = %B550.if, %B442, %B356
  %.837 = add nuw nsw i64 %i.2.0, 1
  %.22.i = icmp ugt i64 %i.2.0, 6
  %spec.select25 = select i1 %.22.i, i64 %.25.i, i64 %.77.i
  %.32.i = select i1 %.22.i, i64 %.30.i, i64 1
  %spec.select26 = mul nuw nsw i64 %.837, %.32.i
  %.46.i = add nuw nsw i64 %spec.select26, %spec.select25
  %.55.i957 = and i64 %.46.i, %.52.i
  %8 = getelementptr i32, ptr %.87, i64 %.55.i957
  %.901 = load i32, ptr %8, align 4
  %.903.not = icmp eq i32 %.901, 0
  br i1 %.903.not, label %B690, label %B356

B690:                                             ; preds = %B620, %states.near_leaves.exit
  %slot.3.1 = phi i64 [ %.55.i, %states.near_leaves.exit ], [ %.55.i957, %B620 ]
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 128
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !378
  %.84.not.not.i = icmp slt i64 %.50.i, %.39
  br i1 %.84.not.not.i, label %B734, label %B778

B734:                                             ; preds = %B690
  %.49.i958 = getelementptr i8, ptr %arg.m.4, i64 104
  %.50.i959 = load i64, ptr %.49.i958, align 8, !noalias !381
  %.51.i = add nsw i64 %.50.i959, %arg.count
  %.84.not.i = icmp sgt i64 %.51.i, %.119
  br i1 %.84.not.i, label %B778, label %B792

B778:                                             ; preds = %B734, %B690
  %.sink = phi i64 [ 15, %B690 ], [ 12, %B734 ]
  %.122.i964 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 %.sink, ptr %.122.i964, align 8, !noalias !357
  br label %common.ret

B792:                                             ; preds = %B734
  %.1024.not = icmp eq i64 %arg.table, 12
  br i1 %.1024.not, label %B952, label %B818

B818:                                             ; preds = %B792
  br i1 %.1061.not.i, label %B880.if.preheader, label %B920

B880.if.preheader:                                ; preds = %B818
  %xtraiter5 = and i64 %arg.count, 1
  %9 = icmp eq i64 %arg.count, 1
  br i1 %9, label %B880.if.epil.preheader, label %B880.if.preheader.new

B880.if.preheader.new:                            ; preds = %B880.if.preheader
  %unroll_iter8 = and i64 %arg.count, 9223372036854775806
  br label %B880.if

B920.loopexit.unr-lcssa:                          ; preds = %B880.if
  %lcmp.mod6.not = icmp eq i64 %xtraiter5, 0
  br i1 %lcmp.mod6.not, label %B920.loopexit, label %B880.if.epil.preheader

B880.if.epil.preheader:                           ; preds = %B920.loopexit.unr-lcssa, %B880.if.preheader
  %.1088.019.epil.init = phi i64 [ 0, %B880.if.preheader ], [ %.1157.1, %B920.loopexit.unr-lcssa ]
  %lcmp.mod7 = icmp ne i64 %xtraiter5, 0
  tail call void @llvm.assume(i1 %lcmp.mod7)
  %.1183.epil = add nsw i64 %.1088.019.epil.init, %arg.at
  %.1197.epil = icmp slt i64 %.1183.epil, 0
  %.1198.epil = select i1 %.1197.epil, i64 %.167, i64 0
  %10 = getelementptr i64, ptr %.173, i64 %.1183.epil
  %.1212.epil = getelementptr i64, ptr %10, i64 %.1198.epil
  %.1213.epil = load i64, ptr %.1212.epil, align 8
  %.1215.epil = add nsw i64 %.1088.019.epil.init, %.50.i959
  %.1229.epil = icmp slt i64 %.1215.epil, 0
  %.1230.epil = select i1 %.1229.epil, i64 %.119, i64 0
  %11 = getelementptr i64, ptr %.125, i64 %.1215.epil
  %.1244.epil = getelementptr i64, ptr %11, i64 %.1230.epil
  store i64 %.1213.epil, ptr %.1244.epil, align 8
  br label %B920.loopexit

B920.loopexit:                                    ; preds = %B920.loopexit.unr-lcssa, %B880.if.epil.preheader
  %.1329.pre.pre = load i64, ptr %.49.i, align 8
  br label %B920

B920:                                             ; preds = %B920.loopexit, %B818
  %.1329.pre = phi i64 [ %.1329.pre.pre, %B920.loopexit ], [ %.50.i, %B818 ]
  store i64 %.51.i, ptr %.49.i958, align 8
  br label %B952

B952:                                             ; preds = %B792, %B920
  %.1329 = phi i64 [ %.1329.pre, %B920 ], [ %.50.i, %B792 ]
  %start.2.0 = phi i64 [ %.50.i959, %B920 ], [ %arg.at, %B792 ]
  %.1341 = getelementptr i8, ptr %arg.m.4, i64 216
  %.1342 = load i64, ptr %.1341, align 8
  %.1351 = inttoptr i64 %.1342 to ptr
  %.145721.not = icmp slt i64 %arg.count, 1
  br i1 %.145721.not, label %B1206, label %B1086.if.preheader

B1086.if.preheader:                               ; preds = %B952
  %xtraiter10 = and i64 %arg.count, 1
  %12 = icmp eq i64 %arg.count, 1
  br i1 %12, label %B1086.if.epil.preheader, label %B1086.if.preheader.new

B1086.if.preheader.new:                           ; preds = %B1086.if.preheader
  %unroll_iter14 = and i64 %arg.count, 9223372036854775806
  br label %B1086.if

B1140:                                            ; preds = %B1086.if
  %.1572 = getelementptr i64, ptr %.1351, i64 %.1531
  %.1573 = load i64, ptr %.1572, align 8
  %.1576.not = icmp eq i64 %.1573, 0
  %spec.select = select i1 %.1576.not, i64 %marked.2.024, i64 2
  br label %B1204

B1204:                                            ; preds = %B1140, %B1086.if
  %marked.3.1 = phi i64 [ %marked.2.024, %B1086.if ], [ %spec.select, %B1140 ]
  %.1470.1 = add nuw nsw i64 %.1401.022, 2
  %.1500.1 = add nsw i64 %.1470, %start.2.0
  %.1514.1 = icmp slt i64 %.1500.1, 0
  %.1515.1 = select i1 %.1514.1, i64 %.119, i64 0
  %13 = getelementptr i64, ptr %.125, i64 %.1500.1
  %.1529.1 = getelementptr i64, ptr %13, i64 %.1515.1
  %.1530.1 = load i64, ptr %.1529.1, align 8
  %.1531.1 = and i64 %.1530.1, 4294967295
  %.1536.not.1 = icmp eq i64 %.1531.1, 0
  br i1 %.1536.not.1, label %B1204.1, label %B1140.1

B1140.1:                                          ; preds = %B1204
  %.1572.1 = getelementptr i64, ptr %.1351, i64 %.1531.1
  %.1573.1 = load i64, ptr %.1572.1, align 8
  %.1576.not.1 = icmp eq i64 %.1573.1, 0
  %spec.select.1 = select i1 %.1576.not.1, i64 %marked.3.1, i64 2
  br label %B1204.1

B1204.1:                                          ; preds = %B1140.1, %B1204
  %marked.3.1.1 = phi i64 [ %marked.3.1, %B1204 ], [ %spec.select.1, %B1140.1 ]
  %niter15.next.1 = add i64 %niter15, 2
  %niter15.ncmp.1 = icmp eq i64 %niter15.next.1, %unroll_iter14
  br i1 %niter15.ncmp.1, label %B1206.loopexit.unr-lcssa, label %B1086.if

B1206.loopexit.unr-lcssa:                         ; preds = %B1204.1
  %lcmp.mod11.not = icmp eq i64 %xtraiter10, 0
  br i1 %lcmp.mod11.not, label %B1206.loopexit, label %B1086.if.epil.preheader

B1086.if.epil.preheader:                          ; preds = %B1206.loopexit.unr-lcssa, %B1086.if.preheader
  %marked.2.024.epil.init = phi i64 [ 0, %B1086.if.preheader ], [ %marked.3.1.1, %B1206.loopexit.unr-lcssa ]
  %.1401.022.epil.init = phi i64 [ 0, %B1086.if.preheader ], [ %.1470.1, %B1206.loopexit.unr-lcssa ]
  %lcmp.mod13 = icmp ne i64 %xtraiter10, 0
  tail call void @llvm.assume(i1 %lcmp.mod13)
  %.1500.epil = add nsw i64 %.1401.022.epil.init, %start.2.0
  %.1514.epil = icmp slt i64 %.1500.epil, 0
  %.1515.epil = select i1 %.1514.epil, i64 %.119, i64 0
  %14 = getelementptr i64, ptr %.125, i64 %.1500.epil
  %.1529.epil = getelementptr i64, ptr %14, i64 %.1515.epil
  %.1530.epil = load i64, ptr %.1529.epil, align 8
  %.1531.epil = and i64 %.1530.epil, 4294967295
  %.1536.not.epil = icmp eq i64 %.1531.epil, 0
  br i1 %.1536.not.epil, label %B1206.loopexit, label %B1140.epil

B1140.epil:                                       ; preds = %B1086.if.epil.preheader
  %.1572.epil = getelementptr i64, ptr %.1351, i64 %.1531.epil
  %.1573.epil = load i64, ptr %.1572.epil, align 8
  %.1576.not.epil = icmp eq i64 %.1573.epil, 0
  %spec.select.epil = select i1 %.1576.not.epil, i64 %marked.2.024.epil.init, i64 2
  br label %B1206.loopexit

B1206.loopexit:                                   ; preds = %B1086.if.epil.preheader, %B1140.epil, %B1206.loopexit.unr-lcssa
  %marked.3.1.lcssa = phi i64 [ %marked.3.1.1, %B1206.loopexit.unr-lcssa ], [ %marked.2.024.epil.init, %B1086.if.epil.preheader ], [ %spec.select.epil, %B1140.epil ]
  %15 = or i64 %marked.3.1.lcssa, %arg.accepting
  br label %B1206

B1206:                                            ; preds = %B1206.loopexit, %B952
  %marked.2.0.lcssa = phi i64 [ %arg.accepting, %B952 ], [ %15, %B1206.loopexit ]
  %.1630 = icmp slt i64 %.1329, 0
  %.1631 = select i1 %.1630, i64 %.39, i64 0
  %.1632 = add i64 %.1631, %.1329
  %.idx16 = shl i64 %.1632, 6
  %16 = getelementptr i8, ptr %.45, i64 %.idx16
  %.1656 = getelementptr i8, ptr %16, i64 16
  store i64 %start.2.0, ptr %.1656, align 8
  %.1712 = getelementptr i8, ptr %16, i64 24
  store i64 %arg.count, ptr %.1712, align 8
  %.1767 = getelementptr i8, ptr %16, i64 32
  store i64 %marked.2.0.lcssa, ptr %.1767, align 8
  %.1770 = icmp eq i64 %arg.count, 1
  br i1 %.1770, label %B1298, label %B1332

B1298:                                            ; preds = %B1206
  %.1786 = icmp slt i64 %start.2.0, 0
  %.1787 = select i1 %.1786, i64 %.119, i64 0
  %17 = getelementptr i64, ptr %.125, i64 %start.2.0
  %.1801 = getelementptr i64, ptr %17, i64 %.1787
  %.1802 = load i64, ptr %.1801, align 8
  %.1807 = ashr i64 %.1802, 32
  br label %B1332

B1332:                                            ; preds = %B1206, %B1298
  %"$phi1332.0.2.0" = phi i64 [ %.1807, %B1298 ], [ -4, %B1206 ]
  store i64 %"$phi1332.0.2.0", ptr %16, align 8
  %.1943 = getelementptr i8, ptr %16, i64 8
  store i64 %.22.not.i6, ptr %.1943, align 8
  %.2000 = getelementptr i8, ptr %16, i64 40
  store i64 -1, ptr %.2000, align 8
  %.2055 = getelementptr i8, ptr %16, i64 56
  store i64 -1, ptr %.2055, align 8
  %.2110 = getelementptr i8, ptr %16, i64 48
  store i64 -2, ptr %.2110, align 8
  %.2115 = add nsw i64 %.1329, 1
  %18 = getelementptr i32, ptr %.87, i64 %slot.3.1
  %.2146 = trunc i64 %.2115 to i32
  store i32 %.2146, ptr %18, align 4
  store i64 %.2115, ptr %.49.i, align 8
  br label %common.ret

B550.if:                                          ; preds = %B550
  %.688 = add nuw i64 %.615.0, 1
  %.716 = add nsw i64 %.615.0, %.584
  %.730 = icmp slt i64 %.716, 0
  %.731 = select i1 %.730, i64 %.119, i64 0
  %19 = getelementptr i64, ptr %.125, i64 %.716
  %.745 = getelementptr i64, ptr %19, i64 %.731
  %.746 = load i64, ptr %.745, align 8
  %.748 = add nsw i64 %.615.0, %arg.at
  %.762 = icmp slt i64 %.748, 0
  %.763 = select i1 %.762, i64 %.167, i64 0
  %20 = getelementptr i64, ptr %.173, i64 %.748
  %.777 = getelementptr i64, ptr %20, i64 %.763
  %.778 = load i64, ptr %.777, align 8
  %.779.not = icmp eq i64 %.746, %.778
  br i1 %.779.not, label %B550, label %B620

B880.if:                                          ; preds = %B880.if, %B880.if.preheader.new
  %.1088.019 = phi i64 [ 0, %B880.if.preheader.new ], [ %.1157.1, %B880.if ]
  %niter9 = phi i64 [ 0, %B880.if.preheader.new ], [ %niter9.next.1, %B880.if ]
  %.1157 = or i64 %.1088.019, 1
  %.1183 = add nsw i64 %.1088.019, %arg.at
  %.1197 = icmp slt i64 %.1183, 0
  %.1198 = select i1 %.1197, i64 %.167, i64 0
  %21 = getelementptr i64, ptr %.173, i64 %.1183
  %.1212 = getelementptr i64, ptr %21, i64 %.1198
  %.1213 = load i64, ptr %.1212, align 8
  %.1215 = add nsw i64 %.1088.019, %.50.i959
  %.1229 = icmp slt i64 %.1215, 0
  %.1230 = select i1 %.1229, i64 %.119, i64 0
  %22 = getelementptr i64, ptr %.125, i64 %.1215
  %.1244 = getelementptr i64, ptr %22, i64 %.1230
  store i64 %.1213, ptr %.1244, align 8
  %.1157.1 = add nuw nsw i64 %.1088.019, 2
  %.1183.1 = add nsw i64 %.1157, %arg.at
  %.1197.1 = icmp slt i64 %.1183.1, 0
  %.1198.1 = select i1 %.1197.1, i64 %.167, i64 0
  %23 = getelementptr i64, ptr %.173, i64 %.1183.1
  %.1212.1 = getelementptr i64, ptr %23, i64 %.1198.1
  %.1213.1 = load i64, ptr %.1212.1, align 8
  %.1215.1 = add nsw i64 %.1157, %.50.i959
  %.1229.1 = icmp slt i64 %.1215.1, 0
  %.1230.1 = select i1 %.1229.1, i64 %.119, i64 0
  %24 = getelementptr i64, ptr %.125, i64 %.1215.1
  %.1244.1 = getelementptr i64, ptr %24, i64 %.1230.1
  store i64 %.1213.1, ptr %.1244.1, align 8
  %niter9.next.1 = add i64 %niter9, 2
  %niter9.ncmp.1 = icmp eq i64 %niter9.next.1, %unroll_iter8
  br i1 %niter9.ncmp.1, label %B920.loopexit.unr-lcssa, label %B880.if

B1086.if:                                         ; preds = %B1204.1, %B1086.if.preheader.new
  %marked.2.024 = phi i64 [ 0, %B1086.if.preheader.new ], [ %marked.3.1.1, %B1204.1 ]
  %.1401.022 = phi i64 [ 0, %B1086.if.preheader.new ], [ %.1470.1, %B1204.1 ]
  %niter15 = phi i64 [ 0, %B1086.if.preheader.new ], [ %niter15.next.1, %B1204.1 ]
  %.1470 = or i64 %.1401.022, 1
  %.1500 = add nsw i64 %.1401.022, %start.2.0
  %.1514 = icmp slt i64 %.1500, 0
  %.1515 = select i1 %.1514, i64 %.119, i64 0
  %25 = getelementptr i64, ptr %.125, i64 %.1500
  %.1529 = getelementptr i64, ptr %25, i64 %.1515
  %.1530 = load i64, ptr %.1529, align 8
  %.1531 = and i64 %.1530, 4294967295
  %.1536.not = icmp eq i64 %.1531, 0
  br i1 %.1536.not, label %B1204, label %B1140
}

define internal fastcc void @leaves.width_of(ptr noalias nonnull writeonly %retptr, ptr readonly %arg.m.4, i64 %arg.node) unnamed_addr {
entry:
  %.27 = load i64, ptr %arg.m.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 16
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.90 = icmp slt i64 %arg.node, 0
  %.91 = select i1 %.90, i64 %.30, i64 0
  %.92 = add i64 %.91, %arg.node
  %.116.idx = shl i64 %.92, 6
  %.116 = getelementptr i8, ptr %.36, i64 %.116.idx
  %.117 = load i64, ptr %.116, align 8
  %.118 = icmp eq i64 %.117, 6
  br i1 %.118, label %B94, label %B280

B94:                                              ; preds = %entry
  %.173 = getelementptr i8, ptr %.116, i64 16
  %.174 = load i64, ptr %.173, align 8
  %.175.not = icmp eq i64 %.174, 0
  br i1 %.175.not, label %common.ret, label %B124

B124:                                             ; preds = %B94
  %.232 = getelementptr i8, ptr %.116, i64 24
  %.233 = load i64, ptr %.232, align 8
  %.264 = getelementptr i8, ptr %arg.m.4, i64 856
  %.265 = load i64, ptr %.264, align 8
  %.268.not = icmp slt i64 %.233, %.265
  %. = select i1 %.268.not, i64 1, i64 4294967296
  br label %common.ret

common.ret:                                       ; preds = %leaves.charset_of.exit, %B564.i, %B124, %B94, %B380
  %.524.sink = phi i64 [ %.524, %B380 ], [ 0, %B94 ], [ %., %B124 ], [ 0, %B564.i ], [ 0, %leaves.charset_of.exit ]
  store i64 %.524.sink, ptr %retptr, align 8
  ret void

B280:                                             ; preds = %entry
  %.346 = getelementptr i8, ptr %.116, i64 8
  %.347 = load i64, ptr %.346, align 8
  %.64.i = getelementptr i8, ptr %arg.m.4, i64 24
  %.65.i = load i64, ptr %.64.i, align 8, !noalias !384
  %.67.i = getelementptr i8, ptr %arg.m.4, i64 40
  %.68.i = load i64, ptr %.67.i, align 8, !noalias !384
  %.74.i = inttoptr i64 %.65.i to ptr
  %.127.i = icmp slt i64 %.347, 0
  %.128.i = select i1 %.127.i, i64 %.30, i64 0
  %.129.i = add i64 %.128.i, %.347
  %.153.idx.i = shl i64 %.129.i, 6
  %.153.i = getelementptr i8, ptr %.36, i64 %.153.idx.i
  %.154.i = load i64, ptr %.153.i, align 8, !noalias !384
  %.155.i = icmp eq i64 %.154.i, 3
  br i1 %.155.i, label %B136.i, label %B564.i

B136.i:                                           ; preds = %B280
  %.320.i = getelementptr i8, ptr %.153.i, i64 16
  %.321.i = load i64, ptr %.320.i, align 8, !noalias !384
  %.4045.not.i = icmp slt i64 %.321.i, 1
  br i1 %.4045.not.i, label %B564.i, label %B252.if.preheader.i

B252.if.preheader.i:                              ; preds = %B136.i
  %.210.i = getelementptr i8, ptr %.153.i, i64 8
  %.211.i = load i64, ptr %.210.i, align 8, !noalias !384
  br label %B252.if.i

B318.i:                                           ; preds = %B252.if.i
  %.599.i = load i64, ptr %1, align 8, !noalias !384
  %.600.i = icmp eq i64 %.599.i, 3
  br i1 %.600.i, label %B366.i, label %B562.i

B366.i:                                           ; preds = %B318.i
  %.655.i = getelementptr i8, ptr %1, i64 8
  %.656.i = load i64, ptr %.655.i, align 8, !noalias !384
  %.767.i = getelementptr i8, ptr %1, i64 16
  %.768.i = load i64, ptr %.767.i, align 8, !noalias !384
  %spec.select2.i = tail call i64 @llvm.smax.i64(i64 %.768.i, i64 0)
  br label %B482.i

B482.i:                                           ; preds = %B482.if.i, %B366.i
  %.793.0.i = phi i64 [ %.656.i, %B366.i ], [ %.862.i, %B482.if.i ]
  %.796.0.i = phi i64 [ %spec.select2.i, %B366.i ], [ %.858.i, %B482.if.i ]
  %.849.i = icmp sgt i64 %.796.0.i, 0
  br i1 %.849.i, label %B482.if.i, label %B562.i

B562.i:                                           ; preds = %B482.i, %B318.i
  %.404.i = icmp sgt i64 %.349.07.i, 1
  br i1 %.404.i, label %B252.if.i, label %B564.i

B564.i:                                           ; preds = %B562.i, %B136.i, %B280
  %.1091.i = getelementptr i8, ptr %.153.i, i64 56
  %.1092.i = load i64, ptr %.1091.i, align 8, !noalias !384
  %.1095.i = icmp sgt i64 %.1092.i, -1
  br i1 %.1095.i, label %leaves.charset_of.exit, label %common.ret

B252.if.i:                                        ; preds = %B562.i, %B252.if.preheader.i
  %.349.07.i = phi i64 [ %.413.i, %B562.i ], [ %.321.i, %B252.if.preheader.i ]
  %.346.06.i = phi i64 [ %.417.i, %B562.i ], [ %.211.i, %B252.if.preheader.i ]
  %.413.i = add nsw i64 %.349.07.i, -1
  %.417.i = add i64 %.346.06.i, 1
  %.455.i = icmp slt i64 %.346.06.i, 0
  %.456.i = select i1 %.455.i, i64 %.68.i, i64 0
  %0 = getelementptr i64, ptr %.74.i, i64 %.346.06.i
  %.470.i = getelementptr i64, ptr %0, i64 %.456.i
  %.471.i = load i64, ptr %.470.i, align 8, !noalias !384
  %.502.i = icmp slt i64 %.471.i, 0
  %.503.i = select i1 %.502.i, i64 %.30, i64 0
  %.504.i = add i64 %.503.i, %.471.i
  %.idx3.i = shl i64 %.504.i, 6
  %1 = getelementptr i8, ptr %.36, i64 %.idx3.i
  %.528.i = getelementptr i8, ptr %1, i64 56
  %.529.i = load i64, ptr %.528.i, align 8, !noalias !384
  %.530.i = icmp sgt i64 %.529.i, -1
  br i1 %.530.i, label %leaves.charset_of.exit, label %B318.i

B482.if.i:                                        ; preds = %B482.i
  %.858.i = add nsw i64 %.796.0.i, -1
  %.862.i = add i64 %.793.0.i, 1
  %.904.i = icmp slt i64 %.793.0.i, 0
  %.905.i = select i1 %.904.i, i64 %.68.i, i64 0
  %2 = getelementptr i64, ptr %.74.i, i64 %.793.0.i
  %.919.i = getelementptr i64, ptr %2, i64 %.905.i
  %.920.i = load i64, ptr %.919.i, align 8, !noalias !384
  %.947.i = icmp slt i64 %.920.i, 0
  %.948.i = select i1 %.947.i, i64 %.30, i64 0
  %.949.i = add i64 %.948.i, %.920.i
  %.idx.i = shl i64 %.949.i, 6
  %3 = getelementptr i8, ptr %.36, i64 %.idx.i
  %.973.i = getelementptr i8, ptr %3, i64 56
  %.974.i = load i64, ptr %.973.i, align 8, !noalias !384
  %.975.i = icmp sgt i64 %.974.i, -1
  br i1 %.975.i, label %leaves.charset_of.exit, label %B482.i

leaves.charset_of.exit:                           ; preds = %B252.if.i, %B482.if.i, %B564.i
  %arg.body..sink.i = phi i64 [ %.347, %B564.i ], [ %.920.i, %B482.if.i ], [ %.471.i, %B252.if.i ]
  %.383 = icmp slt i64 %arg.body..sink.i, 0
  br i1 %.383, label %common.ret, label %B380

B380:                                             ; preds = %leaves.charset_of.exit
  %.idx = shl i64 %arg.body..sink.i, 6
  %4 = getelementptr i8, ptr %.36, i64 %.idx
  %.448 = getelementptr i8, ptr %4, i64 32
  %.449 = load i64, ptr %.448, align 8
  %.505 = getelementptr i8, ptr %.116, i64 24
  %.506 = load i64, ptr %.505, align 8
  %.509 = icmp eq i64 %.506, -1
  %.262 = select i1 %.509, i64 4294967296, i64 0
  %.524 = add nsw i64 %.262, %.449
  br label %common.ret
}

define internal fastcc void @terms.push(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node, i64 %arg.rest) unnamed_addr {
entry:
  %.22 = icmp eq i64 %arg.node, 0
  br i1 %.22, label %common.ret, label %B30

common.ret:                                       ; preds = %B438, %B438.peel, %B438.peel22, %B438.peel53, %B438.peel84, %B438.peel115, %B438.peel146, %B438.peel177, %entry, %B922, %B638
  %.50.i.sink = phi i64 [ %.50.i, %B922 ], [ -3, %B638 ], [ %arg.rest, %entry ], [ %.302.peel169, %B438.peel177 ], [ %.302.peel, %B438.peel ], [ %.302.peel14, %B438.peel22 ], [ %.302.peel45, %B438.peel53 ], [ %.302.peel76, %B438.peel84 ], [ %.302.peel107, %B438.peel115 ], [ %.302.peel138, %B438.peel146 ], [ %.302, %B438 ]
  store i64 %.50.i.sink, ptr %retptr, align 8
  ret void

B30:                                              ; preds = %entry
  %.41 = getelementptr i8, ptr %arg.m.4, i64 48
  %.42 = load i64, ptr %.41, align 8
  %.44 = getelementptr i8, ptr %arg.m.4, i64 64
  %.45 = load i64, ptr %.44, align 8
  %.51 = inttoptr i64 %.42 to ptr
  %.83 = getelementptr i8, ptr %arg.m.4, i64 72
  %.84 = load i64, ptr %.83, align 8
  %.86 = getelementptr i8, ptr %arg.m.4, i64 88
  %.87 = load i64, ptr %.86, align 8
  %.93 = inttoptr i64 %.84 to ptr
  %.7.i = shl i64 %arg.node, 32
  %.8.i = or i64 %.7.i, %arg.rest
  %.5.i.i = lshr i64 %.8.i, 31
  %.6.i.i = xor i64 %.5.i.i, %.8.i
  %.7.i.i = mul i64 %.6.i.i, -7046029254386353131
  %.8.i.i = lshr i64 %.7.i.i, 29
  %.9.i.i = xor i64 %.8.i.i, %.7.i.i
  %.189 = shl nsw i64 %arg.rest, 1
  %.192 = and i64 %.9.i.i, 7
  %.193 = add nsw i64 %.192, %.189
  %.52.i = add nsw i64 %.87, -1
  %.55.i = and i64 %.52.i, %.193
  %.244 = icmp slt i64 %.55.i, 0
  %.245 = select i1 %.244, i64 %.87, i64 0
  %0 = getelementptr i32, ptr %.93, i64 %.55.i
  %.259 = getelementptr i32, ptr %0, i64 %.245
  %.260 = load i32, ptr %.259, align 4
  %.262.not = icmp eq i32 %.260, 0
  br i1 %.262.not, label %B550, label %B358.preheader

B358.preheader:                                   ; preds = %B30
  %.25.i = lshr i64 %.9.i.i, 32
  %.27.i = and i64 %.9.i.i, 268435454
  %.30.i = or i64 %.27.i, 1
  %.302.peel = sext i32 %.260 to i64
  %.333.peel = icmp slt i32 %.260, 0
  %.334.peel = select i1 %.333.peel, i64 %.45, i64 0
  %.335.peel = add i64 %.334.peel, %.302.peel
  %.359.idx.peel = shl i64 %.335.peel, 6
  %.359.peel = getelementptr i8, ptr %.51, i64 %.359.idx.peel
  %.360.peel = load i64, ptr %.359.peel, align 8
  %.362.peel = icmp eq i64 %.360.peel, %arg.node
  br i1 %.362.peel, label %B438.peel, label %B480.peel

B438.peel:                                        ; preds = %B358.preheader
  %.417.peel = getelementptr i8, ptr %.359.peel, i64 8
  %.418.peel = load i64, ptr %.417.peel, align 8
  %.420.peel = icmp eq i64 %.418.peel, %arg.rest
  br i1 %.420.peel, label %common.ret, label %B480.peel

B480.peel:                                        ; preds = %B438.peel, %B358.preheader
  %.46.i.peel = add nsw i64 %.193, 1
  %.55.i661.peel = and i64 %.46.i.peel, %.52.i
  %.496.peel = icmp slt i64 %.55.i661.peel, 0
  %.497.peel = select i1 %.496.peel, i64 %.87, i64 0
  %1 = getelementptr i32, ptr %.93, i64 %.55.i661.peel
  %.511.peel = getelementptr i32, ptr %1, i64 %.497.peel
  %.512.peel = load i32, ptr %.511.peel, align 4
  %.514.not.peel = icmp eq i32 %.512.peel, 0
  br i1 %.514.not.peel, label %B550, label %B358.peel.next

B358.peel.next:                                   ; preds = %B480.peel
  %.302.peel14 = sext i32 %.512.peel to i64
  %.333.peel15 = icmp slt i32 %.512.peel, 0
  %.334.peel16 = select i1 %.333.peel15, i64 %.45, i64 0
  %.335.peel17 = add i64 %.334.peel16, %.302.peel14
  %.359.idx.peel18 = shl i64 %.335.peel17, 6
  %.359.peel19 = getelementptr i8, ptr %.51, i64 %.359.idx.peel18
  %.360.peel20 = load i64, ptr %.359.peel19, align 8
  %.362.peel21 = icmp eq i64 %.360.peel20, %arg.node
  br i1 %.362.peel21, label %B438.peel22, label %B480.peel26

B438.peel22:                                      ; preds = %B358.peel.next
  %.417.peel23 = getelementptr i8, ptr %.359.peel19, i64 8
  %.418.peel24 = load i64, ptr %.417.peel23, align 8
  %.420.peel25 = icmp eq i64 %.418.peel24, %arg.rest
  br i1 %.420.peel25, label %common.ret, label %B480.peel26

B480.peel26:                                      ; preds = %B438.peel22, %B358.peel.next
  %.46.i.peel32 = add nsw i64 %.193, 2
  %.55.i661.peel33 = and i64 %.46.i.peel32, %.52.i
  %.496.peel34 = icmp slt i64 %.55.i661.peel33, 0
  %.497.peel35 = select i1 %.496.peel34, i64 %.87, i64 0
  %2 = getelementptr i32, ptr %.93, i64 %.55.i661.peel33
  %.511.peel36 = getelementptr i32, ptr %2, i64 %.497.peel35
  %.512.peel37 = load i32, ptr %.511.peel36, align 4
  %.514.not.peel38 = icmp eq i32 %.512.peel37, 0
  br i1 %.514.not.peel38, label %B550, label %B358.peel.next8

B358.peel.next8:                                  ; preds = %B480.peel26
  %.302.peel45 = sext i32 %.512.peel37 to i64
  %.333.peel46 = icmp slt i32 %.512.peel37, 0
  %.334.peel47 = select i1 %.333.peel46, i64 %.45, i64 0
  %.335.peel48 = add i64 %.334.peel47, %.302.peel45
  %.359.idx.peel49 = shl i64 %.335.peel48, 6
  %.359.peel50 = getelementptr i8, ptr %.51, i64 %.359.idx.peel49
  %.360.peel51 = load i64, ptr %.359.peel50, align 8
  %.362.peel52 = icmp eq i64 %.360.peel51, %arg.node
  br i1 %.362.peel52, label %B438.peel53, label %B480.peel57

B438.peel53:                                      ; preds = %B358.peel.next8
  %.417.peel54 = getelementptr i8, ptr %.359.peel50, i64 8
  %.418.peel55 = load i64, ptr %.417.peel54, align 8
  %.420.peel56 = icmp eq i64 %.418.peel55, %arg.rest
  br i1 %.420.peel56, label %common.ret, label %B480.peel57

B480.peel57:                                      ; preds = %B438.peel53, %B358.peel.next8
  %.46.i.peel63 = add nsw i64 %.193, 3
  %.55.i661.peel64 = and i64 %.46.i.peel63, %.52.i
  %.496.peel65 = icmp slt i64 %.55.i661.peel64, 0
  %.497.peel66 = select i1 %.496.peel65, i64 %.87, i64 0
  %3 = getelementptr i32, ptr %.93, i64 %.55.i661.peel64
  %.511.peel67 = getelementptr i32, ptr %3, i64 %.497.peel66
  %.512.peel68 = load i32, ptr %.511.peel67, align 4
  %.514.not.peel69 = icmp eq i32 %.512.peel68, 0
  br i1 %.514.not.peel69, label %B550, label %B358.peel.next39

B358.peel.next39:                                 ; preds = %B480.peel57
  %.302.peel76 = sext i32 %.512.peel68 to i64
  %.333.peel77 = icmp slt i32 %.512.peel68, 0
  %.334.peel78 = select i1 %.333.peel77, i64 %.45, i64 0
  %.335.peel79 = add i64 %.334.peel78, %.302.peel76
  %.359.idx.peel80 = shl i64 %.335.peel79, 6
  %.359.peel81 = getelementptr i8, ptr %.51, i64 %.359.idx.peel80
  %.360.peel82 = load i64, ptr %.359.peel81, align 8
  %.362.peel83 = icmp eq i64 %.360.peel82, %arg.node
  br i1 %.362.peel83, label %B438.peel84, label %B480.peel88

B438.peel84:                                      ; preds = %B358.peel.next39
  %.417.peel85 = getelementptr i8, ptr %.359.peel81, i64 8
  %.418.peel86 = load i64, ptr %.417.peel85, align 8
  %.420.peel87 = icmp eq i64 %.418.peel86, %arg.rest
  br i1 %.420.peel87, label %common.ret, label %B480.peel88

B480.peel88:                                      ; preds = %B438.peel84, %B358.peel.next39
  %.46.i.peel94 = add nsw i64 %.193, 4
  %.55.i661.peel95 = and i64 %.46.i.peel94, %.52.i
  %.496.peel96 = icmp slt i64 %.55.i661.peel95, 0
  %.497.peel97 = select i1 %.496.peel96, i64 %.87, i64 0
  %4 = getelementptr i32, ptr %.93, i64 %.55.i661.peel95
  %.511.peel98 = getelementptr i32, ptr %4, i64 %.497.peel97
  %.512.peel99 = load i32, ptr %.511.peel98, align 4
  %.514.not.peel100 = icmp eq i32 %.512.peel99, 0
  br i1 %.514.not.peel100, label %B550, label %B358.peel.next70

B358.peel.next70:                                 ; preds = %B480.peel88
  %.302.peel107 = sext i32 %.512.peel99 to i64
  %.333.peel108 = icmp slt i32 %.512.peel99, 0
  %.334.peel109 = select i1 %.333.peel108, i64 %.45, i64 0
  %.335.peel110 = add i64 %.334.peel109, %.302.peel107
  %.359.idx.peel111 = shl i64 %.335.peel110, 6
  %.359.peel112 = getelementptr i8, ptr %.51, i64 %.359.idx.peel111
  %.360.peel113 = load i64, ptr %.359.peel112, align 8
  %.362.peel114 = icmp eq i64 %.360.peel113, %arg.node
  br i1 %.362.peel114, label %B438.peel115, label %B480.peel119

B438.peel115:                                     ; preds = %B358.peel.next70
  %.417.peel116 = getelementptr i8, ptr %.359.peel112, i64 8
  %.418.peel117 = load i64, ptr %.417.peel116, align 8
  %.420.peel118 = icmp eq i64 %.418.peel117, %arg.rest
  br i1 %.420.peel118, label %common.ret, label %B480.peel119

B480.peel119:                                     ; preds = %B438.peel115, %B358.peel.next70
  %.46.i.peel125 = add nsw i64 %.193, 5
  %.55.i661.peel126 = and i64 %.46.i.peel125, %.52.i
  %.496.peel127 = icmp slt i64 %.55.i661.peel126, 0
  %.497.peel128 = select i1 %.496.peel127, i64 %.87, i64 0
  %5 = getelementptr i32, ptr %.93, i64 %.55.i661.peel126
  %.511.peel129 = getelementptr i32, ptr %5, i64 %.497.peel128
  %.512.peel130 = load i32, ptr %.511.peel129, align 4
  %.514.not.peel131 = icmp eq i32 %.512.peel130, 0
  br i1 %.514.not.peel131, label %B550, label %B358.peel.next101

B358.peel.next101:                                ; preds = %B480.peel119
  %.302.peel138 = sext i32 %.512.peel130 to i64
  %.333.peel139 = icmp slt i32 %.512.peel130, 0
  %.334.peel140 = select i1 %.333.peel139, i64 %.45, i64 0
  %.335.peel141 = add i64 %.334.peel140, %.302.peel138
  %.359.idx.peel142 = shl i64 %.335.peel141, 6
  %.359.peel143 = getelementptr i8, ptr %.51, i64 %.359.idx.peel142
  %.360.peel144 = load i64, ptr %.359.peel143, align 8
  %.362.peel145 = icmp eq i64 %.360.peel144, %arg.node
  br i1 %.362.peel145, label %B438.peel146, label %B480.peel150

B438.peel146:                                     ; preds = %B358.peel.next101
  %.417.peel147 = getelementptr i8, ptr %.359.peel143, i64 8
  %.418.peel148 = load i64, ptr %.417.peel147, align 8
  %.420.peel149 = icmp eq i64 %.418.peel148, %arg.rest
  br i1 %.420.peel149, label %common.ret, label %B480.peel150

B480.peel150:                                     ; preds = %B438.peel146, %B358.peel.next101
  %.46.i.peel156 = add nsw i64 %.193, 6
  %.55.i661.peel157 = and i64 %.46.i.peel156, %.52.i
  %.496.peel158 = icmp slt i64 %.55.i661.peel157, 0
  %.497.peel159 = select i1 %.496.peel158, i64 %.87, i64 0
  %6 = getelementptr i32, ptr %.93, i64 %.55.i661.peel157
  %.511.peel160 = getelementptr i32, ptr %6, i64 %.497.peel159
  %.512.peel161 = load i32, ptr %.511.peel160, align 4
  %.514.not.peel162 = icmp eq i32 %.512.peel161, 0
  br i1 %.514.not.peel162, label %B550, label %B358.peel.next132

B358.peel.next132:                                ; preds = %B480.peel150
  %.302.peel169 = sext i32 %.512.peel161 to i64
  %.333.peel170 = icmp slt i32 %.512.peel161, 0
  %.334.peel171 = select i1 %.333.peel170, i64 %.45, i64 0
  %.335.peel172 = add i64 %.334.peel171, %.302.peel169
  %.359.idx.peel173 = shl i64 %.335.peel172, 6
  %.359.peel174 = getelementptr i8, ptr %.51, i64 %.359.idx.peel173
  %.360.peel175 = load i64, ptr %.359.peel174, align 8
  %.362.peel176 = icmp eq i64 %.360.peel175, %arg.node
  br i1 %.362.peel176, label %B438.peel177, label %B480.peel181

B438.peel177:                                     ; preds = %B358.peel.next132
  %.417.peel178 = getelementptr i8, ptr %.359.peel174, i64 8
  %.418.peel179 = load i64, ptr %.417.peel178, align 8
  %.420.peel180 = icmp eq i64 %.418.peel179, %arg.rest
  br i1 %.420.peel180, label %common.ret, label %B480.peel181

B480.peel181:                                     ; preds = %B438.peel177, %B358.peel.next132
  %.46.i.peel187 = add nsw i64 %.193, 7
  %.55.i661.peel188 = and i64 %.46.i.peel187, %.52.i
  %.496.peel189 = icmp slt i64 %.55.i661.peel188, 0
  %.497.peel190 = select i1 %.496.peel189, i64 %.87, i64 0
  %7 = getelementptr i32, ptr %.93, i64 %.55.i661.peel188
  %.511.peel191 = getelementptr i32, ptr %7, i64 %.497.peel190
  %.512.peel192 = load i32, ptr %.511.peel191, align 4
  %.514.not.peel193 = icmp eq i32 %.512.peel192, 0
  br i1 %.514.not.peel193, label %B550, label %B358

B358:                                             ; preds = %B480.peel181, %B480
  %i.2.0 = phi i64 [ %.448, %B480 ], [ 7, %B480.peel181 ]
  %slot.2.0 = phi i64 [ %.55.i661, %B480 ], [ %.55.i661.peel188, %B480.peel181 ]
  %.283 = icmp slt i64 %slot.2.0, 0
  %.284 = select i1 %.283, i64 %.87, i64 0
  %8 = getelementptr i32, ptr %.93, i64 %slot.2.0
  %.298 = getelementptr i32, ptr %8, i64 %.284
  %.299 = load i32, ptr %.298, align 4
  %.302 = sext i32 %.299 to i64
  %.333 = icmp slt i32 %.299, 0
  %.334 = select i1 %.333, i64 %.45, i64 0
  %.335 = add i64 %.334, %.302
  %.359.idx = shl i64 %.335, 6
  %.359 = getelementptr i8, ptr %.51, i64 %.359.idx
  %.360 = load i64, ptr %.359, align 8
  %.362 = icmp eq i64 %.360, %arg.node
  br i1 %.362, label %B438, label %B480

B438:                                             ; preds = %B358
  %.417 = getelementptr i8, ptr %.359, i64 8
  %.418 = load i64, ptr %.417, align 8
  %.420 = icmp eq i64 %.418, %arg.rest
  br i1 %.420, label %common.ret, label %B480

B480:                                             ; preds = %B438, %B358
  %.448 = add nuw nsw i64 %i.2.0, 1
  %spec.select6 = mul nuw nsw i64 %.448, %.30.i
  %.46.i = add nuw nsw i64 %spec.select6, %.25.i
  %.55.i661 = and i64 %.46.i, %.52.i
  %9 = getelementptr i32, ptr %.93, i64 %.55.i661
  %.512 = load i32, ptr %9, align 4
  %.514.not = icmp eq i32 %.512, 0
  br i1 %.514.not, label %B550, label %B358, !llvm.loop !387

B550:                                             ; preds = %B480, %B480.peel, %B480.peel26, %B480.peel57, %B480.peel88, %B480.peel119, %B480.peel150, %B480.peel181, %B30
  %slot.3.1 = phi i64 [ %.55.i, %B30 ], [ %.55.i661.peel188, %B480.peel181 ], [ %.55.i661.peel, %B480.peel ], [ %.55.i661.peel33, %B480.peel26 ], [ %.55.i661.peel64, %B480.peel57 ], [ %.55.i661.peel95, %B480.peel88 ], [ %.55.i661.peel126, %B480.peel119 ], [ %.55.i661.peel157, %B480.peel150 ], [ %.55.i661, %B480 ]
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 56
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !389
  %.84.not.not.i = icmp slt i64 %.50.i, %.45
  br i1 %.84.not.not.i, label %B594, label %B638

B594:                                             ; preds = %B550
  %.49.i662 = getelementptr i8, ptr %arg.m.4, i64 224
  %.50.i663 = load i64, ptr %.49.i662, align 8, !noalias !392
  %.82.i664 = getelementptr i8, ptr %arg.m.4, i64 232
  %.83.i665 = load i64, ptr %.82.i664, align 8, !noalias !392
  %.84.not.not.i666 = icmp slt i64 %.50.i663, %.83.i665
  br i1 %.84.not.not.i666, label %B652, label %B638

B638:                                             ; preds = %B594, %B550
  %.sink = phi i64 [ 6, %B550 ], [ 27, %B594 ]
  %.122.i668 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 %.sink, ptr %.122.i668, align 8, !noalias !357
  br label %common.ret

B652:                                             ; preds = %B594
  %.661 = load i64, ptr %arg.m.4, align 8
  %.663 = getelementptr i8, ptr %arg.m.4, i64 16
  %.664 = load i64, ptr %.663, align 8
  %.670 = inttoptr i64 %.661 to ptr
  %.702 = getelementptr i8, ptr %arg.m.4, i64 216
  %.703 = load i64, ptr %.702, align 8
  %.712 = inttoptr i64 %.703 to ptr
  %.742.not = icmp eq i64 %arg.rest, 0
  br i1 %.742.not, label %B834, label %B790

B790:                                             ; preds = %B652
  %.758 = icmp slt i64 %arg.rest, 0
  %.759 = select i1 %.758, i64 %.83.i665, i64 0
  %10 = getelementptr i64, ptr %.712, i64 %arg.rest
  %.773 = getelementptr i64, ptr %10, i64 %.759
  %.774 = load i64, ptr %.773, align 8
  br label %B834

B834:                                             ; preds = %B652, %B790
  %"$phi834.0.2.0" = phi i64 [ %.774, %B790 ], [ 0, %B652 ]
  %.815 = icmp slt i64 %arg.node, 0
  %.816 = select i1 %.815, i64 %.664, i64 0
  %.817 = add i64 %.816, %arg.node
  %.841.idx = shl i64 %.817, 6
  %.841 = getelementptr i8, ptr %.670, i64 %.841.idx
  %.842 = load i64, ptr %.841, align 8
  %.843 = icmp eq i64 %.842, 6
  br i1 %.843, label %B884, label %B922

B884:                                             ; preds = %B834
  %.898 = getelementptr i8, ptr %.841, i64 32
  %.899 = load i64, ptr %.898, align 8
  %.903 = add nsw i64 %.899, %"$phi834.0.2.0"
  br label %B922

B922:                                             ; preds = %B834, %B884
  %"$phi922.0.2.0" = phi i64 [ %.903, %B884 ], [ %"$phi834.0.2.0", %B834 ]
  %.933 = icmp slt i64 %.50.i, 0
  %.934 = select i1 %.933, i64 %.83.i665, i64 0
  %11 = getelementptr i64, ptr %.712, i64 %.50.i
  %.948 = getelementptr i64, ptr %11, i64 %.934
  store i64 %"$phi922.0.2.0", ptr %.948, align 8
  %.955 = add nsw i64 %.50.i, 1
  store i64 %.955, ptr %.49.i662, align 8
  %.1029 = select i1 %.933, i64 %.45, i64 0
  %.1030 = add i64 %.1029, %.50.i
  %.1054.idx = shl i64 %.1030, 6
  %.1054 = getelementptr i8, ptr %.51, i64 %.1054.idx
  store i64 %arg.node, ptr %.1054, align 8
  %.1109 = getelementptr i8, ptr %.1054, i64 8
  store i64 %arg.rest, ptr %.1109, align 8
  %.1164 = getelementptr i8, ptr %.1054, i64 16
  store i64 -1, ptr %.1164, align 8
  %.1219 = getelementptr i8, ptr %.1054, i64 48
  store i64 -1, ptr %.1219, align 8
  %.1274 = getelementptr i8, ptr %.1054, i64 24
  %.1403 = icmp slt i64 %slot.3.1, 0
  %.1404 = select i1 %.1403, i64 %.87, i64 0
  %12 = getelementptr i32, ptr %.93, i64 %slot.3.1
  %.1418 = getelementptr i32, ptr %12, i64 %.1404
  %.1419 = trunc i64 %.50.i to i32
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(24) %.1274, i8 0, i64 24, i1 false)
  store i32 %.1419, ptr %.1418, align 4
  store i64 %.955, ptr %.49.i, align 8
  br label %common.ret
}

define internal fastcc void @leaves.append_leaf(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node, i64 %arg.after, i64 %arg.count) unnamed_addr {
entry:
  %.192 = alloca i64, align 8
  %.530 = alloca i64, align 8
  %.596 = alloca i64, align 8
  %.786 = alloca i64, align 8
  %.41 = load i64, ptr %arg.m.4, align 8
  %.43 = getelementptr i8, ptr %arg.m.4, i64 16
  %.44 = load i64, ptr %.43, align 8
  %.50 = inttoptr i64 %.41 to ptr
  %.104 = icmp slt i64 %arg.node, 0
  %.105 = select i1 %.104, i64 %.44, i64 0
  %.106 = add i64 %.105, %arg.node
  %.130.idx = shl i64 %.106, 6
  %.130 = getelementptr i8, ptr %.50, i64 %.130.idx
  %.131 = load i64, ptr %.130, align 8
  %.132 = icmp eq i64 %.131, 2
  br i1 %.132, label %B94, label %B184

B94:                                              ; preds = %entry
  %.188 = getelementptr i8, ptr %.130, i64 16
  %.189 = load i64, ptr %.188, align 8
  store i64 0, ptr %.192, align 8
  call fastcc void @terms.push(ptr %.192, ptr nonnull %arg.m.4, i64 %.189, i64 %arg.after)
  %.208 = load i64, ptr %.192, align 8
  %.279 = getelementptr i8, ptr %.130, i64 8
  %.280 = load i64, ptr %.279, align 8
  br label %B184

B184:                                             ; preds = %B94, %entry
  %after.4.0 = phi i64 [ %.208, %B94 ], [ %arg.after, %entry ]
  %node.2.0 = phi i64 [ %.280, %B94 ], [ %arg.node, %entry ]
  %.315 = icmp slt i64 %node.2.0, 0
  %.316 = select i1 %.315, i64 %.44, i64 0
  %.317 = add i64 %.316, %node.2.0
  %.341.idx = shl i64 %.317, 6
  %.341 = getelementptr i8, ptr %.50, i64 %.341.idx
  %.342 = load i64, ptr %.341, align 8
  %.405 = icmp eq i64 %.342, 7
  %.408 = icmp ne i64 %after.4.0, -3
  %or.cond = select i1 %.405, i1 %.408, i1 false
  br i1 %or.cond, label %B288, label %B384

B288:                                             ; preds = %B184
  %.469 = getelementptr i8, ptr %.341, i64 16
  %.470 = load i64, ptr %.469, align 8
  %.497 = icmp slt i64 %.470, 0
  %.498 = select i1 %.497, i64 %.44, i64 0
  %.499 = add i64 %.498, %.470
  %.idx = shl i64 %.499, 6
  %0 = getelementptr i8, ptr %.50, i64 %.idx
  %.523 = getelementptr i8, ptr %0, i64 16
  %.524 = load i64, ptr %.523, align 8
  store i64 0, ptr %.530, align 8
  call fastcc void @terms.push(ptr %.530, ptr nonnull %arg.m.4, i64 %.470, i64 %after.4.0)
  %.546 = load i64, ptr %.530, align 8
  br label %B652

B384:                                             ; preds = %B184
  %.396 = getelementptr i8, ptr %.341, i64 8
  %.397 = load i64, ptr %.396, align 8
  %.574 = icmp eq i64 %.342, 5
  %brmerge.not = select i1 %.574, i1 %.408, i1 false
  %after.4.0.mux = select i1 %.574, i64 -3, i64 %after.4.0
  br i1 %brmerge.not, label %B428, label %B652

B428:                                             ; preds = %B384
  store i64 0, ptr %.596, align 8
  call fastcc void @terms.edges_of(ptr %.596, ptr nonnull %arg.m.4, i64 %node.2.0)
  %.612 = load i64, ptr %.596, align 8
  %.628 = icmp eq i64 %.612, -3
  br i1 %.628, label %common.ret, label %B496

common.ret:                                       ; preds = %B652, %B428, %B752, %B738
  %.838.sink = phi i64 [ %.838, %B752 ], [ -3, %B738 ], [ -3, %B428 ], [ -3, %B652 ]
  store i64 %.838.sink, ptr %retptr, align 8
  ret void

B496:                                             ; preds = %B428
  %.648 = getelementptr i8, ptr %arg.m.4, i64 24
  %.649 = load i64, ptr %.648, align 8
  %.651 = getelementptr i8, ptr %arg.m.4, i64 40
  %.652 = load i64, ptr %.651, align 8
  %.658 = inttoptr i64 %.649 to ptr
  %.692 = icmp slt i64 %.612, -1
  %.693 = select i1 %.692, i64 %.652, i64 0
  %1 = getelementptr i64, ptr %.658, i64 %.612
  %2 = getelementptr i8, ptr %1, i64 8
  %.707 = getelementptr i64, ptr %2, i64 %.693
  %.708 = load i64, ptr %.707, align 8
  %.767 = icmp slt i64 %.612, -2
  %.768 = select i1 %.767, i64 %.652, i64 0
  %3 = getelementptr i8, ptr %1, i64 16
  %.782 = getelementptr i64, ptr %3, i64 %.768
  %.783 = load i64, ptr %.782, align 8
  store i64 0, ptr %.786, align 8
  call fastcc void @terms.push(ptr %.786, ptr nonnull %arg.m.4, i64 %.783, i64 %after.4.0)
  %.802 = load i64, ptr %.786, align 8
  %.709 = add nsw i64 %.708, -1
  br label %B652

B652:                                             ; preds = %B384, %B496, %B288
  %after.5.0 = phi i64 [ %.546, %B288 ], [ %.802, %B496 ], [ %after.4.0.mux, %B384 ]
  %of.3.0 = phi i64 [ %.524, %B288 ], [ %.709, %B496 ], [ %.397, %B384 ]
  %.824 = icmp eq i64 %after.5.0, -3
  br i1 %.824, label %common.ret, label %B688

B688:                                             ; preds = %B652
  %.838 = add nsw i64 %arg.count, 1
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !395
  %.51.i = add nsw i64 %.50.i, %.838
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 304
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !395
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %B738, label %B752

B738:                                             ; preds = %B688
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 36, ptr %.122.i, align 8, !noalias !395
  br label %common.ret

B752:                                             ; preds = %B688
  %.887 = shl i64 %of.3.0, 32
  %.891 = or i64 %.887, %after.5.0
  %.902 = getelementptr i8, ptr %arg.m.4, i64 288
  %.903 = load i64, ptr %.902, align 8
  %.912 = inttoptr i64 %.903 to ptr
  %.947 = icmp slt i64 %arg.count, 0
  %.948 = select i1 %.947, i64 %.83.i, i64 0
  %4 = getelementptr i64, ptr %.912, i64 %arg.count
  %.962 = getelementptr i64, ptr %4, i64 %.948
  store i64 %.891, ptr %.962, align 8
  br label %common.ret
}

define internal fastcc void @terms.edges_of(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node) unnamed_addr {
entry:
  %.27 = load i64, ptr %arg.m.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 16
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 24
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 40
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  %.131 = icmp slt i64 %arg.node, 0
  %.132 = select i1 %.131, i64 %.30, i64 0
  %.133 = add i64 %.132, %arg.node
  %.idx = shl i64 %.133, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx
  %.157 = getelementptr i8, ptr %0, i64 48
  %.158 = load i64, ptr %.157, align 8
  %.159 = icmp sgt i64 %.158, -1
  br i1 %.159, label %common.ret, label %B156

common.ret:                                       ; preds = %B880.i, %views.lacks.15.exit.i, %views.lacks.14.exit.i, %B1956.i, %views.lacks.13.exit.i, %views.lacks.12.exit.i, %views.lacks.11.exit.i, %entry, %B1310, %B840, %B204
  %storemerge510.i.sink = phi i64 [ -3, %views.lacks.11.exit.i ], [ %.158, %entry ], [ %.50.i, %B1310 ], [ -3, %B840 ], [ -3, %B204 ], [ %.50.i.i, %B1956.i ], [ -3, %views.lacks.13.exit.i ], [ -3, %views.lacks.12.exit.i ], [ %.50.i.i835, %B880.i ], [ -3, %views.lacks.15.exit.i ], [ -3, %views.lacks.14.exit.i ]
  store i64 %storemerge510.i.sink, ptr %retptr, align 8
  ret void

B156:                                             ; preds = %entry
  %.280 = load i64, ptr %0, align 8
  switch i64 %.280, label %B430 [
    i64 6, label %B204
    i64 8, label %B318
    i64 10, label %B398
  ]

B204:                                             ; preds = %B156
  %.315 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 -1, ptr %.315, align 8
  %.346 = getelementptr i8, ptr %arg.m.4, i64 824
  store i64 %arg.node, ptr %.346, align 8
  br label %common.ret

B318:                                             ; preds = %B156
  %.106.i = getelementptr i8, ptr %arg.m.4, i64 192
  %.107.i = load i64, ptr %.106.i, align 8, !noalias !398
  %.109.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.110.i = load i64, ptr %.109.i, align 8, !noalias !398
  %.116.i = inttoptr i64 %.107.i to ptr
  %.202.i = getelementptr i8, ptr %0, i64 8
  %.203.i = load i64, ptr %.202.i, align 8, !noalias !398
  %.257.i = getelementptr i8, ptr %0, i64 16
  %.258.i = load i64, ptr %.257.i, align 8, !noalias !398
  %.312.i = getelementptr i8, ptr %0, i64 24
  %.313.i = load i64, ptr %.312.i, align 8, !noalias !398
  %.367.i = getelementptr i8, ptr %0, i64 32
  %.368.i = load i64, ptr %.367.i, align 8, !noalias !398
  %.393.i = add nsw i64 %.258.i, %.203.i
  %.408.i = icmp slt i64 %.393.i, -1
  %.409.i = select i1 %.408.i, i64 %.72, i64 0
  %1 = getelementptr i64, ptr %.78, i64 %.393.i
  %2 = getelementptr i8, ptr %1, i64 8
  %.423.i = getelementptr i64, ptr %2, i64 %.409.i
  %.424.i = load i64, ptr %.423.i, align 8, !noalias !398
  %.441.i = icmp slt i64 %.393.i, 0
  %.442.i = select i1 %.441.i, i64 %.72, i64 0
  %.456.i = getelementptr i64, ptr %1, i64 %.442.i
  %.457.i = load i64, ptr %.456.i, align 8, !noalias !398
  %.458.i = sub nsw i64 %.424.i, %.457.i
  %.460.i = icmp eq i64 %.458.i, %.368.i
  %.470.i = zext i1 %.460.i to i64
  %"$phi352.0.2.0.i" = add nsw i64 %.258.i, %.470.i
  %.500.i = icmp slt i64 %"$phi352.0.2.0.i", %.313.i
  br i1 %.500.i, label %B374.preheader.i, label %B434.i

B374.preheader.i:                                 ; preds = %B318
  %3 = add nsw i64 %.313.i, -1
  br label %B374.i

B374.i:                                           ; preds = %terms.end_of_run.exit.i, %B374.preheader.i
  %i.4.0.i = phi i64 [ %stop.3.0.i.i, %terms.end_of_run.exit.i ], [ %"$phi352.0.2.0.i", %B374.preheader.i ]
  %groups.2.0.i = phi i64 [ %.503.i, %terms.end_of_run.exit.i ], [ 0, %B374.preheader.i ]
  %.26.i.i = add nsw i64 %i.4.0.i, %.203.i
  %.40.i.i = icmp slt i64 %.26.i.i, 0
  %.41.i.i = select i1 %.40.i.i, i64 %.72, i64 0
  %4 = getelementptr i64, ptr %.78, i64 %.26.i.i
  %.55.i.i = getelementptr i64, ptr %4, i64 %.41.i.i
  %.56.i.i = load i64, ptr %.55.i.i, align 8, !noalias !401
  %.58.i.i = add nsw i64 %.56.i.i, %.368.i
  %.72.i.i = icmp slt i64 %.58.i.i, 0
  %.73.i.i = select i1 %.72.i.i, i64 %.72, i64 0
  %5 = getelementptr i64, ptr %.78, i64 %.58.i.i
  %.87.i.i = getelementptr i64, ptr %5, i64 %.73.i.i
  %.88.i.i = load i64, ptr %.87.i.i, align 8, !noalias !401
  %.89.i.i = add nsw i64 %i.4.0.i, 1
  %.102.i.i = icmp slt i64 %.89.i.i, %.313.i
  br i1 %.102.i.i, label %B66.i.i, label %terms.end_of_run.exit.i

B66.i.i:                                          ; preds = %B374.i
  %.113.i.i = add nsw i64 %.89.i.i, %.203.i
  %.129.i.i = icmp slt i64 %.113.i.i, 0
  %.130.i.i = select i1 %.129.i.i, i64 %.72, i64 0
  %6 = getelementptr i64, ptr %.78, i64 %.113.i.i
  %.144.i.i = getelementptr i64, ptr %6, i64 %.130.i.i
  %.145.i.i = load i64, ptr %.144.i.i, align 8, !noalias !401
  %.147.i.i = add nsw i64 %.145.i.i, %.368.i
  %.161.i.i = icmp slt i64 %.147.i.i, 0
  %.162.i.i = select i1 %.161.i.i, i64 %.72, i64 0
  %7 = getelementptr i64, ptr %.78, i64 %.147.i.i
  %.176.i.i = getelementptr i64, ptr %7, i64 %.162.i.i
  %.177.i.i = load i64, ptr %.176.i.i, align 8, !noalias !401
  %.179.i.i = icmp eq i64 %.177.i.i, %.88.i.i
  br i1 %.179.i.i, label %B114.i.i, label %terms.end_of_run.exit.i

B114.i.i:                                         ; preds = %B66.i.i, %B136.i.i
  %stop.2.1.i.i = phi i64 [ %.185.i.i, %B136.i.i ], [ %.89.i.i, %B66.i.i ]
  %exitcond.not.i.i = icmp eq i64 %stop.2.1.i.i, %3
  br i1 %exitcond.not.i.i, label %terms.end_of_run.exit.thread.i, label %B136.i.i

terms.end_of_run.exit.thread.i:                   ; preds = %B114.i.i
  %.5032.i = add nuw nsw i64 %groups.2.0.i, 1
  br label %B434.i

B136.i.i:                                         ; preds = %B114.i.i
  %.185.i.i = add nsw i64 %stop.2.1.i.i, 1
  %.206.i.i = add nsw i64 %.185.i.i, %.203.i
  %.222.i.i = icmp slt i64 %.206.i.i, 0
  %.223.i.i = select i1 %.222.i.i, i64 %.72, i64 0
  %8 = getelementptr i64, ptr %.78, i64 %.206.i.i
  %.237.i.i = getelementptr i64, ptr %8, i64 %.223.i.i
  %.238.i.i = load i64, ptr %.237.i.i, align 8, !noalias !401
  %.240.i.i = add nsw i64 %.238.i.i, %.368.i
  %.254.i.i = icmp slt i64 %.240.i.i, 0
  %.255.i.i = select i1 %.254.i.i, i64 %.72, i64 0
  %9 = getelementptr i64, ptr %.78, i64 %.240.i.i
  %.269.i.i = getelementptr i64, ptr %9, i64 %.255.i.i
  %.270.i.i = load i64, ptr %.269.i.i, align 8, !noalias !401
  %.272.i.i = icmp eq i64 %.270.i.i, %.88.i.i
  br i1 %.272.i.i, label %B114.i.i, label %terms.end_of_run.exit.i

terms.end_of_run.exit.i:                          ; preds = %B136.i.i, %B66.i.i, %B374.i
  %stop.3.0.i.i = phi i64 [ %.89.i.i, %B66.i.i ], [ %.89.i.i, %B374.i ], [ %.185.i.i, %B136.i.i ]
  %.503.i = add nuw nsw i64 %groups.2.0.i, 1
  %.545.i = icmp slt i64 %stop.3.0.i.i, %.313.i
  br i1 %.545.i, label %B374.i, label %B434.i

B434.i:                                           ; preds = %terms.end_of_run.exit.i, %terms.end_of_run.exit.thread.i, %B318
  %groups.3.1.i = phi i64 [ %.5032.i, %terms.end_of_run.exit.thread.i ], [ 0, %B318 ], [ %.503.i, %terms.end_of_run.exit.i ]
  %.552.i = select i1 %.460.i, i64 3, i64 4
  %.567.i = add i64 %groups.3.1.i, %.552.i
  %.577.i = shl nsw i64 %.567.i, 1
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 32
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !404
  %.578.i = add i64 %.50.i.i, 1
  %.51.i.i = add i64 %.578.i, %.577.i
  %.84.not.i.i = icmp sgt i64 %.51.i.i, %.72
  br i1 %.84.not.i.i, label %views.lacks.11.exit.i, label %B514.i

views.lacks.11.exit.i:                            ; preds = %B434.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 3, ptr %.122.i.i, align 8, !noalias !404
  br label %common.ret

B514.i:                                           ; preds = %B434.i
  %.618.i = add nsw i64 %groups.3.1.i, 2
  %.49.i808.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i809.i = load i64, ptr %.49.i808.i, align 8, !noalias !407
  %.51.i810.i = add nsw i64 %.618.i, %.50.i809.i
  %.84.not.i813.i = icmp sgt i64 %.51.i810.i, %.30
  br i1 %.84.not.i813.i, label %views.lacks.12.exit.i, label %B564.i

views.lacks.12.exit.i:                            ; preds = %B514.i
  %.122.i816.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i816.i, align 8, !noalias !407
  br label %common.ret

B564.i:                                           ; preds = %B514.i
  %.49.i817.i = getelementptr i8, ptr %arg.m.4, i64 200
  %.50.i818.i = load i64, ptr %.49.i817.i, align 8, !noalias !410
  %.84.not.not.i.i = icmp slt i64 %.50.i818.i, %.110.i
  br i1 %.84.not.not.i.i, label %B622.i, label %views.lacks.13.exit.i

views.lacks.13.exit.i:                            ; preds = %B564.i
  %.122.i822.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 24, ptr %.122.i822.i, align 8, !noalias !410
  br label %common.ret

B622.i:                                           ; preds = %B564.i
  %.737.i = icmp slt i64 %.203.i, 132
  %.738.i = select i1 %.737.i, i64 %.72, i64 0
  %10 = getelementptr i64, ptr %.78, i64 %.203.i
  %11 = getelementptr i8, ptr %10, i64 -1056
  %.752.i = getelementptr i64, ptr %11, i64 %.738.i
  %.753.i = load i64, ptr %.752.i, align 8, !noalias !398
  %.987.i = icmp slt i64 %.50.i818.i, 0
  %.988.i = select i1 %.987.i, i64 %.110.i, i64 0
  %.989.i = add i64 %.988.i, %.50.i818.i
  %.1009.i = shl i64 %.989.i, 8
  %12 = getelementptr i8, ptr %.116.i, i64 %.1009.i
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %B622.i
  %index = phi i64 [ 0, %B622.i ], [ %index.next, %vector.body ]
  %vec.ind = phi <16 x i64> [ <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %B622.i ], [ %vec.ind.next, %vector.body ]
  %13 = add nsw <16 x i64> %vec.ind, <i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32, i64 -32>
  %14 = icmp ult <16 x i64> %13, <i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96>
  %15 = icmp ne <16 x i64> %vec.ind, <i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34, i64 34>
  %16 = and <16 x i1> %15, %14
  %17 = icmp ne <16 x i64> %vec.ind, <i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92, i64 92>
  %18 = and <16 x i1> %17, %16
  %19 = getelementptr i8, ptr %12, i64 %index
  %20 = zext <16 x i1> %18 to <16 x i8>
  store <16 x i8> %20, ptr %19, align 1, !noalias !398
  %index.next = add nuw i64 %index, 16
  %vec.ind.next = add nuw nsw <16 x i64> %vec.ind, <i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16>
  %21 = icmp eq i64 %index.next, 256
  br i1 %21, label %B952.i, label %vector.body, !llvm.loop !413

B952.i:                                           ; preds = %vector.body
  br i1 %.500.i, label %B978.preheader.i, label %B1236.i

B978.preheader.i:                                 ; preds = %B952.i
  %22 = add nsw i64 %.313.i, -1
  %.122.i.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  %.1198.i = add nsw i64 %.368.i, 1
  br label %B978.i

B978.i:                                           ; preds = %terms.new_node.exit.i, %B978.preheader.i
  %n.2.0.i = phi i64 [ %.1292.i, %terms.new_node.exit.i ], [ %.578.i, %B978.preheader.i ]
  %i.5.0.i = phi i64 [ %stop.3.0.i836.i, %terms.new_node.exit.i ], [ %"$phi352.0.2.0.i", %B978.preheader.i ]
  %.1046.i = add nsw i64 %i.5.0.i, %.203.i
  %.1060.i = icmp slt i64 %.1046.i, 0
  %.1061.i = select i1 %.1060.i, i64 %.72, i64 0
  %23 = getelementptr i64, ptr %.78, i64 %.1046.i
  %.1075.i = getelementptr i64, ptr %23, i64 %.1061.i
  %.1076.i = load i64, ptr %.1075.i, align 8, !noalias !398
  %.1078.i = add nsw i64 %.1076.i, %.368.i
  %.1092.i = icmp slt i64 %.1078.i, 0
  %.1093.i = select i1 %.1092.i, i64 %.72, i64 0
  %24 = getelementptr i64, ptr %.78, i64 %.1078.i
  %.1107.i = getelementptr i64, ptr %24, i64 %.1093.i
  %.1108.i = load i64, ptr %.1107.i, align 8, !noalias !398
  %.89.i834.i = add nsw i64 %i.5.0.i, 1
  %.102.i835.i = icmp slt i64 %.89.i834.i, %.313.i
  br i1 %.102.i835.i, label %B66.i837.i, label %terms.end_of_run.exit866.i

B66.i837.i:                                       ; preds = %B978.i
  %.113.i838.i = add nsw i64 %.89.i834.i, %.203.i
  %.129.i839.i = icmp slt i64 %.113.i838.i, 0
  %.130.i840.i = select i1 %.129.i839.i, i64 %.72, i64 0
  %25 = getelementptr i64, ptr %.78, i64 %.113.i838.i
  %.144.i841.i = getelementptr i64, ptr %25, i64 %.130.i840.i
  %.145.i842.i = load i64, ptr %.144.i841.i, align 8, !noalias !414
  %.147.i843.i = add nsw i64 %.145.i842.i, %.368.i
  %.161.i844.i = icmp slt i64 %.147.i843.i, 0
  %.162.i845.i = select i1 %.161.i844.i, i64 %.72, i64 0
  %26 = getelementptr i64, ptr %.78, i64 %.147.i843.i
  %.176.i846.i = getelementptr i64, ptr %26, i64 %.162.i845.i
  %.177.i847.i = load i64, ptr %.176.i846.i, align 8, !noalias !414
  %.179.i848.i = icmp eq i64 %.177.i847.i, %.1108.i
  br i1 %.179.i848.i, label %B114.i850.i, label %terms.end_of_run.exit866.i

B114.i850.i:                                      ; preds = %B66.i837.i, %B136.i853.i
  %stop.2.1.i851.i = phi i64 [ %.185.i854.i, %B136.i853.i ], [ %.89.i834.i, %B66.i837.i ]
  %exitcond.not.i852.i = icmp eq i64 %stop.2.1.i851.i, %22
  br i1 %exitcond.not.i852.i, label %terms.end_of_run.exit866.i, label %B136.i853.i

B136.i853.i:                                      ; preds = %B114.i850.i
  %.185.i854.i = add nsw i64 %stop.2.1.i851.i, 1
  %.206.i855.i = add nsw i64 %.185.i854.i, %.203.i
  %.222.i856.i = icmp slt i64 %.206.i855.i, 0
  %.223.i857.i = select i1 %.222.i856.i, i64 %.72, i64 0
  %27 = getelementptr i64, ptr %.78, i64 %.206.i855.i
  %.237.i858.i = getelementptr i64, ptr %27, i64 %.223.i857.i
  %.238.i859.i = load i64, ptr %.237.i858.i, align 8, !noalias !414
  %.240.i860.i = add nsw i64 %.238.i859.i, %.368.i
  %.254.i861.i = icmp slt i64 %.240.i860.i, 0
  %.255.i862.i = select i1 %.254.i861.i, i64 %.72, i64 0
  %28 = getelementptr i64, ptr %.78, i64 %.240.i860.i
  %.269.i863.i = getelementptr i64, ptr %28, i64 %.255.i862.i
  %.270.i864.i = load i64, ptr %.269.i863.i, align 8, !noalias !414
  %.272.i865.i = icmp eq i64 %.270.i864.i, %.1108.i
  br i1 %.272.i865.i, label %B114.i850.i, label %terms.end_of_run.exit866.i

terms.end_of_run.exit866.i:                       ; preds = %B136.i853.i, %B114.i850.i, %B66.i837.i, %B978.i
  %stop.3.0.i836.i = phi i64 [ %.89.i834.i, %B66.i837.i ], [ %.89.i834.i, %B978.i ], [ %.185.i854.i, %B136.i853.i ], [ %.313.i, %B114.i850.i ]
  %29 = lshr i64 %.1108.i, 55
  %30 = and i64 %29, 256
  %31 = getelementptr i8, ptr %12, i64 %.1108.i
  %.1192.i = getelementptr i8, ptr %31, i64 %30
  store i8 0, ptr %.1192.i, align 1, !noalias !398
  %.50.i.i.i = load i64, ptr %.49.i808.i, align 8, !noalias !417
  %.83.i.i.i = load i64, ptr %.29, align 8, !noalias !417
  %.84.not.not.i.i.i = icmp slt i64 %.50.i.i.i, %.83.i.i.i
  br i1 %.84.not.not.i.i.i, label %B62.i868.i, label %views.lacks.15.exit.i.i

views.lacks.15.exit.i.i:                          ; preds = %terms.end_of_run.exit866.i
  store i64 0, ptr %.122.i.i.i, align 8, !noalias !417
  br label %terms.new_node.exit.i

B62.i868.i:                                       ; preds = %terms.end_of_run.exit866.i
  %.98.i.i = load i64, ptr %arg.m.4, align 8, !noalias !422
  %.107.i.i = inttoptr i64 %.98.i.i to ptr
  %.212.i.i = icmp slt i64 %.50.i.i.i, 0
  %.213.i.i = select i1 %.212.i.i, i64 %.83.i.i.i, i64 0
  %.214.i.i = add i64 %.213.i.i, %.50.i.i.i
  %.238.idx.i.i = shl i64 %.214.i.i, 6
  %.238.i869.i = getelementptr i8, ptr %.107.i.i, i64 %.238.idx.i.i
  store i64 8, ptr %.238.i869.i, align 8, !noalias !422
  %.291.i.i = getelementptr i8, ptr %.238.i869.i, i64 8
  store i64 %.203.i, ptr %.291.i.i, align 8, !noalias !422
  %.344.i.i = getelementptr i8, ptr %.238.i869.i, i64 16
  store i64 %i.5.0.i, ptr %.344.i.i, align 8, !noalias !422
  %.397.i.i = getelementptr i8, ptr %.238.i869.i, i64 24
  store i64 %stop.3.0.i836.i, ptr %.397.i.i, align 8, !noalias !422
  %.450.i.i = getelementptr i8, ptr %.238.i869.i, i64 32
  store i64 %.1198.i, ptr %.450.i.i, align 8, !noalias !422
  %.504.i.i = getelementptr i8, ptr %.238.i869.i, i64 40
  store i64 0, ptr %.504.i.i, align 8, !noalias !422
  %.559.i.i = getelementptr i8, ptr %.238.i869.i, i64 48
  %.614.i.i = add nsw i64 %.50.i.i.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i, i8 -1, i64 16, i1 false), !noalias !422
  store i64 %.614.i.i, ptr %.49.i808.i, align 8, !noalias !422
  br label %terms.new_node.exit.i

terms.new_node.exit.i:                            ; preds = %B62.i868.i, %views.lacks.15.exit.i.i
  %storemerge.i867.i = phi i64 [ %.50.i.i.i, %B62.i868.i ], [ -3, %views.lacks.15.exit.i.i ]
  %.1195.i = add nsw i64 %.1108.i, 1
  %.1242.i = icmp slt i64 %n.2.0.i, 0
  %.1243.i = select i1 %.1242.i, i64 %.72, i64 0
  %32 = getelementptr i64, ptr %.78, i64 %n.2.0.i
  %.1257.i = getelementptr i64, ptr %32, i64 %.1243.i
  store i64 %.1195.i, ptr %.1257.i, align 8, !noalias !398
  %.1274.i = icmp slt i64 %n.2.0.i, -1
  %.1275.i = select i1 %.1274.i, i64 %.72, i64 0
  %33 = getelementptr i8, ptr %32, i64 8
  %.1289.i = getelementptr i64, ptr %33, i64 %.1275.i
  store i64 %storemerge.i867.i, ptr %.1289.i, align 8, !noalias !398
  %.1292.i = add nsw i64 %n.2.0.i, 2
  %.1300.i = icmp slt i64 %stop.3.0.i836.i, %.313.i
  br i1 %.1300.i, label %B978.i, label %B1236.i

B1236.i:                                          ; preds = %terms.new_node.exit.i, %B952.i
  %byte.2.1.i = phi i64 [ 0, %B952.i ], [ %.1108.i, %terms.new_node.exit.i ]
  %n.3.1.i = phi i64 [ %.578.i, %B952.i ], [ %.1292.i, %terms.new_node.exit.i ]
  %.1315.i = icmp slt i64 %groups.3.1.i, 2
  br i1 %.1315.i, label %B1314.i, label %B1328.i

B1314.i:                                          ; preds = %B1236.i
  %.1318.i = add nsw i64 %.203.i, -128
  %.1320.i = add nsw i64 %.1318.i, %byte.2.1.i
  %.1334.i = icmp slt i64 %.1320.i, 0
  %.1335.i = select i1 %.1334.i, i64 %.72, i64 0
  %34 = getelementptr i64, ptr %.78, i64 %.1320.i
  %.1349.i = getelementptr i64, ptr %34, i64 %.1335.i
  %.1350.i = load i64, ptr %.1349.i, align 8, !noalias !398
  %.1364.i = icmp slt i64 %.1350.i, 0
  br i1 %.1364.i, label %B1328.i, label %B1602.i

B1328.i:                                          ; preds = %B1314.i, %B1236.i
  %.1396.i = load i64, ptr %.49.i817.i, align 8, !noalias !398
  %.1397.i = add nsw i64 %.1396.i, 1
  store i64 %.1397.i, ptr %.49.i817.i, align 8, !noalias !398
  %.50.i.i871.i = load i64, ptr %.49.i808.i, align 8, !noalias !423
  %.83.i.i873.i = load i64, ptr %.29, align 8, !noalias !423
  %.84.not.not.i.i874.i = icmp slt i64 %.50.i.i871.i, %.83.i.i873.i
  br i1 %.84.not.not.i.i874.i, label %B62.i878.i, label %views.lacks.15.exit.i875.i

views.lacks.15.exit.i875.i:                       ; preds = %B1328.i
  %.122.i.i876.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i876.i, align 8, !noalias !423
  br label %terms.new_node.exit893.i

B62.i878.i:                                       ; preds = %B1328.i
  %.98.i879.i = load i64, ptr %arg.m.4, align 8, !noalias !428
  %.107.i880.i = inttoptr i64 %.98.i879.i to ptr
  %.212.i881.i = icmp slt i64 %.50.i.i871.i, 0
  %.213.i882.i = select i1 %.212.i881.i, i64 %.83.i.i873.i, i64 0
  %.214.i883.i = add i64 %.213.i882.i, %.50.i.i871.i
  %.238.idx.i884.i = shl i64 %.214.i883.i, 6
  %.238.i885.i = getelementptr i8, ptr %.107.i880.i, i64 %.238.idx.i884.i
  store i64 1, ptr %.238.i885.i, align 8, !noalias !428
  %.291.i886.i = getelementptr i8, ptr %.238.i885.i, i64 8
  store i64 %.50.i818.i, ptr %.291.i886.i, align 8, !noalias !428
  %.344.i887.i = getelementptr i8, ptr %.238.i885.i, i64 16
  %.559.i891.i = getelementptr i8, ptr %.238.i885.i, i64 48
  %.614.i892.i = add nsw i64 %.50.i.i871.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %.344.i887.i, i8 0, i64 32, i1 false), !noalias !398
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i891.i, i8 -1, i64 16, i1 false), !noalias !428
  store i64 %.614.i892.i, ptr %.49.i808.i, align 8, !noalias !428
  br label %terms.new_node.exit893.i

terms.new_node.exit893.i:                         ; preds = %B62.i878.i, %views.lacks.15.exit.i875.i
  %storemerge.i877.i = phi i64 [ %.50.i.i871.i, %B62.i878.i ], [ -3, %views.lacks.15.exit.i875.i ]
  br i1 %.1315.i, label %B1570.i, label %B1602.i

B1570.i:                                          ; preds = %terms.new_node.exit893.i
  %.1474.i = add nsw i64 %.203.i, -128
  %.1476.i = add nsw i64 %.1474.i, %byte.2.1.i
  %.1493.i = icmp slt i64 %.1476.i, 0
  %.1494.i = select i1 %.1493.i, i64 %.72, i64 0
  %35 = getelementptr i64, ptr %.78, i64 %.1476.i
  %.1508.i = getelementptr i64, ptr %35, i64 %.1494.i
  store i64 %storemerge.i877.i, ptr %.1508.i, align 8, !noalias !398
  br label %B1602.i

B1602.i:                                          ; preds = %B1570.i, %terms.new_node.exit893.i, %B1314.i
  %plain.2.0.i = phi i64 [ %storemerge.i877.i, %B1570.i ], [ %storemerge.i877.i, %terms.new_node.exit893.i ], [ %.1350.i, %B1314.i ]
  %.50.i.i895.i = load i64, ptr %.49.i808.i, align 8, !noalias !429
  %.83.i.i897.i = load i64, ptr %.29, align 8, !noalias !429
  %.84.not.not.i.i898.i = icmp slt i64 %.50.i.i895.i, %.83.i.i897.i
  br i1 %.84.not.not.i.i898.i, label %B62.i902.i, label %views.lacks.15.exit.i899.i

views.lacks.15.exit.i899.i:                       ; preds = %B1602.i
  %.122.i.i900.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i900.i, align 8, !noalias !429
  br label %terms.new_node.exit917.i

B62.i902.i:                                       ; preds = %B1602.i
  %.98.i903.i = load i64, ptr %arg.m.4, align 8, !noalias !434
  %.107.i904.i = inttoptr i64 %.98.i903.i to ptr
  %.212.i905.i = icmp slt i64 %.50.i.i895.i, 0
  %.213.i906.i = select i1 %.212.i905.i, i64 %.83.i.i897.i, i64 0
  %.214.i907.i = add i64 %.213.i906.i, %.50.i.i895.i
  %.238.idx.i908.i = shl i64 %.214.i907.i, 6
  %.238.i909.i = getelementptr i8, ptr %.107.i904.i, i64 %.238.idx.i908.i
  store i64 10, ptr %.238.i909.i, align 8, !noalias !434
  %.291.i910.i = getelementptr i8, ptr %.238.i909.i, i64 8
  store i64 %arg.node, ptr %.291.i910.i, align 8, !noalias !434
  %.344.i911.i = getelementptr i8, ptr %.238.i909.i, i64 16
  %.559.i915.i = getelementptr i8, ptr %.238.i909.i, i64 48
  %.614.i916.i = add nsw i64 %.50.i.i895.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %.344.i911.i, i8 0, i64 32, i1 false), !noalias !398
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i915.i, i8 -1, i64 16, i1 false), !noalias !434
  store i64 %.614.i916.i, ptr %.49.i808.i, align 8, !noalias !434
  br label %terms.new_node.exit917.i

terms.new_node.exit917.i:                         ; preds = %B62.i902.i, %views.lacks.15.exit.i899.i
  %storemerge.i901.i = phi i64 [ %.50.i.i895.i, %B62.i902.i ], [ -3, %views.lacks.15.exit.i899.i ]
  %.1565.i = icmp slt i64 %n.3.1.i, 0
  %.1566.i = select i1 %.1565.i, i64 %.72, i64 0
  %36 = getelementptr i64, ptr %.78, i64 %n.3.1.i
  %.1580.i = getelementptr i64, ptr %36, i64 %.1566.i
  store i64 %plain.2.0.i, ptr %.1580.i, align 8, !noalias !398
  %.1600.i = icmp slt i64 %n.3.1.i, -1
  %.1601.i = select i1 %.1600.i, i64 %.72, i64 0
  %37 = getelementptr i8, ptr %36, i64 8
  %.1615.i = getelementptr i64, ptr %37, i64 %.1601.i
  store i64 %.753.i, ptr %.1615.i, align 8, !noalias !398
  %.1634.i = icmp slt i64 %.203.i, 131
  %.1635.i = select i1 %.1634.i, i64 %.72, i64 0
  %38 = getelementptr i8, ptr %10, i64 -1048
  %.1649.i = getelementptr i64, ptr %38, i64 %.1635.i
  %.1650.i = load i64, ptr %.1649.i, align 8, !noalias !398
  %.1666.i = icmp slt i64 %n.3.1.i, -2
  %.1667.i = select i1 %.1666.i, i64 %.72, i64 0
  %39 = getelementptr i8, ptr %36, i64 16
  %.1681.i = getelementptr i64, ptr %39, i64 %.1667.i
  store i64 %.1650.i, ptr %.1681.i, align 8, !noalias !398
  %.1699.i = icmp slt i64 %n.3.1.i, -3
  %.1700.i = select i1 %.1699.i, i64 %.72, i64 0
  %40 = getelementptr i8, ptr %36, i64 24
  %.1714.i = getelementptr i64, ptr %40, i64 %.1700.i
  store i64 %.753.i, ptr %.1714.i, align 8, !noalias !398
  %.1733.i = icmp slt i64 %n.3.1.i, -4
  %.1734.i = select i1 %.1733.i, i64 %.72, i64 0
  %41 = getelementptr i8, ptr %36, i64 32
  %.1748.i = getelementptr i64, ptr %41, i64 %.1734.i
  store i64 93, ptr %.1748.i, align 8, !noalias !398
  %.1765.i = icmp slt i64 %n.3.1.i, -5
  %.1766.i = select i1 %.1765.i, i64 %.72, i64 0
  %42 = getelementptr i8, ptr %36, i64 40
  %.1780.i = getelementptr i64, ptr %42, i64 %.1766.i
  store i64 %storemerge.i901.i, ptr %.1780.i, align 8, !noalias !398
  br i1 %.460.i, label %B1956.i, label %B1912.i

B1912.i:                                          ; preds = %terms.new_node.exit917.i
  %.1801.i = icmp slt i64 %n.3.1.i, -6
  %.1802.i = select i1 %.1801.i, i64 %.72, i64 0
  %43 = getelementptr i8, ptr %36, i64 48
  %.1816.i = getelementptr i64, ptr %43, i64 %.1802.i
  store i64 35, ptr %.1816.i, align 8, !noalias !398
  %.1835.i = icmp slt i64 %n.3.1.i, -7
  %.1836.i = select i1 %.1835.i, i64 %.72, i64 0
  %44 = getelementptr i8, ptr %36, i64 56
  %.1850.i = getelementptr i64, ptr %44, i64 %.1836.i
  store i64 0, ptr %.1850.i, align 8, !noalias !398
  br label %B1956.i

B1956.i:                                          ; preds = %B1912.i, %terms.new_node.exit917.i
  %.1870.i = icmp slt i64 %.50.i.i, 0
  %.1871.i = select i1 %.1870.i, i64 %.72, i64 0
  %45 = getelementptr i64, ptr %.78, i64 %.50.i.i
  %.1885.i = getelementptr i64, ptr %45, i64 %.1871.i
  store i64 %.567.i, ptr %.1885.i, align 8, !noalias !398
  store i64 %.51.i.i, ptr %.49.i.i, align 8, !noalias !398
  store i64 %.50.i.i, ptr %.157, align 8, !noalias !398
  br label %common.ret

B398:                                             ; preds = %B156
  %.49.i.i834 = getelementptr i8, ptr %arg.m.4, i64 32
  %.50.i.i835 = load i64, ptr %.49.i.i834, align 8, !noalias !435
  %.51.i.i836 = add nsw i64 %.50.i.i835, 7
  %.84.not.i.i837 = icmp sgt i64 %.51.i.i836, %.72
  br i1 %.84.not.i.i837, label %views.lacks.14.exit.i, label %B132.i

views.lacks.14.exit.i:                            ; preds = %B398
  %.122.i.i859 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 3, ptr %.122.i.i859, align 8, !noalias !435
  br label %common.ret

B132.i:                                           ; preds = %B398
  %.49.i511.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i512.i = load i64, ptr %.49.i511.i, align 8, !noalias !440
  %.84.not.not.i.i838 = icmp slt i64 %.50.i512.i, %.30
  br i1 %.84.not.not.i.i838, label %B190.i, label %views.lacks.15.exit.i

views.lacks.15.exit.i:                            ; preds = %B132.i
  %.122.i516.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i516.i, align 8, !noalias !440
  br label %common.ret

B190.i:                                           ; preds = %B132.i
  %.245.i = getelementptr i8, ptr %0, i64 8
  %.246.i = load i64, ptr %.245.i, align 8, !noalias !443
  %.277.i = icmp slt i64 %.246.i, 0
  %.278.i = select i1 %.277.i, i64 %.30, i64 0
  %.279.i = add i64 %.278.i, %.246.i
  %.idx5.i = shl i64 %.279.i, 6
  %46 = getelementptr i8, ptr %.36, i64 %.idx5.i
  %.303.i = getelementptr i8, ptr %46, i64 8
  %.304.i = load i64, ptr %.303.i, align 8, !noalias !443
  %.359.i = getelementptr i8, ptr %46, i64 48
  %.360.i = load i64, ptr %.359.i, align 8, !noalias !443
  %.379.i = icmp slt i64 %.304.i, 132
  %.380.i = select i1 %.379.i, i64 %.72, i64 0
  %47 = getelementptr i64, ptr %.78, i64 %.304.i
  %48 = getelementptr i8, ptr %47, i64 -1056
  %.394.i = getelementptr i64, ptr %48, i64 %.380.i
  %.395.i = load i64, ptr %.394.i, align 8, !noalias !443
  %.418.i = icmp slt i64 %.360.i, 0
  %.419.i = select i1 %.418.i, i64 %.72, i64 0
  %49 = getelementptr i64, ptr %.78, i64 %.360.i
  %.433.i = getelementptr i64, ptr %49, i64 %.419.i
  %.434.i = load i64, ptr %.433.i, align 8, !noalias !443
  %.5166.not.i = icmp slt i64 %.434.i, 1
  br i1 %.5166.not.i, label %B454.i, label %B402.if.preheader.i

B402.if.preheader.i:                              ; preds = %B190.i
  %.403.i = add nsw i64 %.360.i, 1
  %xtraiter = and i64 %.434.i, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B402.if.i.prol.loopexit, label %B402.if.i.prol

B402.if.i.prol:                                   ; preds = %B402.if.preheader.i
  %.525.i.prol = add nsw i64 %.434.i, -1
  %.529.i.prol = add i64 %.360.i, 3
  %.577.i840.prol = icmp slt i64 %.360.i, -1
  %.578.i841.prol = select i1 %.577.i840.prol, i64 %.72, i64 0
  %50 = getelementptr i64, ptr %.78, i64 %.403.i
  %.592.i.prol = getelementptr i64, ptr %50, i64 %.578.i841.prol
  %.593.i.prol = load i64, ptr %.592.i.prol, align 8, !noalias !443
  %.594.i.prol = icmp eq i64 %.593.i.prol, 48
  br i1 %.594.i.prol, label %B430.i.prol, label %B402.if.i.prol.loopexit

B430.i.prol:                                      ; preds = %B402.if.i.prol
  %.613.i.prol = icmp slt i64 %.360.i, -2
  %.614.i.prol = select i1 %.613.i.prol, i64 %.72, i64 0
  %51 = getelementptr i8, ptr %50, i64 8
  %.628.i.prol = getelementptr i64, ptr %51, i64 %.614.i.prol
  %.629.i.prol = load i64, ptr %.628.i.prol, align 8, !noalias !443
  br label %B402.if.i.prol.loopexit

B402.if.i.prol.loopexit:                          ; preds = %B402.if.i.prol, %B430.i.prol, %B402.if.preheader.i
  %slash.2.09.i.unr = phi i64 [ %.395.i, %B402.if.preheader.i ], [ %.629.i.prol, %B430.i.prol ], [ %.395.i, %B402.if.i.prol ]
  %.463.08.i.unr = phi i64 [ %.434.i, %B402.if.preheader.i ], [ %.525.i.prol, %B430.i.prol ], [ %.525.i.prol, %B402.if.i.prol ]
  %.460.07.i.unr = phi i64 [ %.403.i, %B402.if.preheader.i ], [ %.529.i.prol, %B430.i.prol ], [ %.529.i.prol, %B402.if.i.prol ]
  %slash.3.1.i.lcssa.unr = phi i64 [ poison, %B402.if.preheader.i ], [ %.629.i.prol, %B430.i.prol ], [ %.395.i, %B402.if.i.prol ]
  %52 = icmp eq i64 %.434.i, 1
  br i1 %52, label %B454.i, label %B402.if.i

B430.i:                                           ; preds = %B402.if.i
  %.613.i = icmp slt i64 %.460.07.i, -1
  %.614.i = select i1 %.613.i, i64 %.72, i64 0
  %53 = getelementptr i8, ptr %65, i64 8
  %.628.i = getelementptr i64, ptr %53, i64 %.614.i
  %.629.i = load i64, ptr %.628.i, align 8, !noalias !443
  br label %B452.i

B452.i:                                           ; preds = %B402.if.i, %B430.i
  %slash.3.1.i = phi i64 [ %.629.i, %B430.i ], [ %slash.2.09.i, %B402.if.i ]
  %.525.i.1 = add nsw i64 %.463.08.i, -2
  %.529.i.1 = add i64 %.460.07.i, 4
  %.577.i840.1 = icmp slt i64 %.529.i, 0
  %.578.i841.1 = select i1 %.577.i840.1, i64 %.72, i64 0
  %54 = getelementptr i64, ptr %.78, i64 %.529.i
  %.592.i.1 = getelementptr i64, ptr %54, i64 %.578.i841.1
  %.593.i.1 = load i64, ptr %.592.i.1, align 8, !noalias !443
  %.594.i.1 = icmp eq i64 %.593.i.1, 48
  br i1 %.594.i.1, label %B430.i.1, label %B452.i.1

B430.i.1:                                         ; preds = %B452.i
  %.613.i.1 = icmp slt i64 %.529.i, -1
  %.614.i.1 = select i1 %.613.i.1, i64 %.72, i64 0
  %55 = getelementptr i8, ptr %54, i64 8
  %.628.i.1 = getelementptr i64, ptr %55, i64 %.614.i.1
  %.629.i.1 = load i64, ptr %.628.i.1, align 8, !noalias !443
  br label %B452.i.1

B452.i.1:                                         ; preds = %B430.i.1, %B452.i
  %slash.3.1.i.1 = phi i64 [ %.629.i.1, %B430.i.1 ], [ %slash.3.1.i, %B452.i ]
  %.516.i.1 = icmp sgt i64 %.463.08.i, 2
  br i1 %.516.i.1, label %B402.if.i, label %B454.i

B454.i:                                           ; preds = %B402.if.i.prol.loopexit, %B452.i.1, %B190.i
  %slash.2.0.lcssa.i = phi i64 [ %.395.i, %B190.i ], [ %slash.3.1.i.lcssa.unr, %B402.if.i.prol.loopexit ], [ %slash.3.1.i.1, %B452.i.1 ]
  %.694.i = icmp slt i64 %.304.i, 129
  %.695.i = select i1 %.694.i, i64 %.72, i64 0
  %56 = getelementptr i8, ptr %47, i64 -1032
  %.709.i = getelementptr i64, ptr %56, i64 %.695.i
  %.710.i = load i64, ptr %.709.i, align 8, !noalias !443
  %.725.i = icmp slt i64 %.50.i.i835, 0
  %.726.i = select i1 %.725.i, i64 %.72, i64 0
  %57 = getelementptr i64, ptr %.78, i64 %.50.i.i835
  %.740.i = getelementptr i64, ptr %57, i64 %.726.i
  store i64 1, ptr %.740.i, align 8, !noalias !443
  %.743.i = add nsw i64 %.50.i.i835, 1
  %.757.i = icmp slt i64 %.50.i.i835, -1
  %.758.i = select i1 %.757.i, i64 %.72, i64 0
  %58 = getelementptr i64, ptr %.78, i64 %.743.i
  %.772.i = getelementptr i64, ptr %58, i64 %.758.i
  store i64 %.710.i, ptr %.772.i, align 8, !noalias !443
  %.790.i = icmp slt i64 %.50.i.i835, -2
  %.791.i = select i1 %.790.i, i64 %.72, i64 0
  %59 = getelementptr i8, ptr %57, i64 16
  %.805.i = getelementptr i64, ptr %59, i64 %.791.i
  store i64 %.395.i, ptr %.805.i, align 8, !noalias !443
  %.824.i = icmp slt i64 %.304.i, 130
  %.825.i = select i1 %.824.i, i64 %.72, i64 0
  %60 = getelementptr i8, ptr %47, i64 -1040
  %.839.i = getelementptr i64, ptr %60, i64 %.825.i
  %.840.i = load i64, ptr %.839.i, align 8, !noalias !443
  %.841.i = icmp sgt i64 %.840.i, -1
  br i1 %.841.i, label %B598.i, label %B880.i

B598.i:                                           ; preds = %B454.i
  store i64 3, ptr %.740.i, align 8, !noalias !443
  %.889.i = icmp slt i64 %.50.i.i835, -3
  %.890.i = select i1 %.889.i, i64 %.72, i64 0
  %61 = getelementptr i8, ptr %57, i64 24
  %.904.i = getelementptr i64, ptr %61, i64 %.890.i
  store i64 48, ptr %.904.i, align 8, !noalias !443
  %.922.i = icmp slt i64 %.50.i.i835, -4
  %.923.i = select i1 %.922.i, i64 %.72, i64 0
  %62 = getelementptr i8, ptr %57, i64 32
  %.937.i = getelementptr i64, ptr %62, i64 %.923.i
  store i64 %slash.2.0.lcssa.i, ptr %.937.i, align 8, !noalias !443
  %.974.i = load i64, ptr %.839.i, align 8, !noalias !443
  %.990.i = icmp slt i64 %.50.i.i835, -5
  %.991.i = select i1 %.990.i, i64 %.72, i64 0
  %63 = getelementptr i8, ptr %57, i64 40
  %.1005.i = getelementptr i64, ptr %63, i64 %.991.i
  store i64 %.974.i, ptr %.1005.i, align 8, !noalias !443
  %.50.i.i.i842 = load i64, ptr %.49.i511.i, align 8, !noalias !444
  %.83.i.i.i843 = load i64, ptr %.29, align 8, !noalias !444
  %.84.not.not.i.i.i844 = icmp slt i64 %.50.i.i.i842, %.83.i.i.i843
  br i1 %.84.not.not.i.i.i844, label %B62.i519.i, label %views.lacks.15.exit.i.i845

views.lacks.15.exit.i.i845:                       ; preds = %B598.i
  %.122.i.i.i846 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i.i846, align 8, !noalias !444
  br label %terms.new_node.exit.i847

B62.i519.i:                                       ; preds = %B598.i
  %.98.i.i848 = load i64, ptr %arg.m.4, align 8, !noalias !449
  %.107.i.i849 = inttoptr i64 %.98.i.i848 to ptr
  %.212.i.i850 = icmp slt i64 %.50.i.i.i842, 0
  %.213.i.i851 = select i1 %.212.i.i850, i64 %.83.i.i.i843, i64 0
  %.214.i.i852 = add i64 %.213.i.i851, %.50.i.i.i842
  %.238.idx.i.i853 = shl i64 %.214.i.i852, 6
  %.238.i.i854 = getelementptr i8, ptr %.107.i.i849, i64 %.238.idx.i.i853
  store i64 6, ptr %.238.i.i854, align 8, !noalias !449
  %.291.i.i855 = getelementptr i8, ptr %.238.i.i854, i64 8
  store i64 %.246.i, ptr %.291.i.i855, align 8, !noalias !449
  %.344.i.i856 = getelementptr i8, ptr %.238.i.i854, i64 16
  %.559.i.i857 = getelementptr i8, ptr %.238.i.i854, i64 48
  %.614.i.i858 = add nsw i64 %.50.i.i.i842, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(32) %.344.i.i856, i8 0, i64 32, i1 false), !noalias !443
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i857, i8 -1, i64 16, i1 false), !noalias !449
  store i64 %.614.i.i858, ptr %.49.i511.i, align 8, !noalias !449
  br label %terms.new_node.exit.i847

terms.new_node.exit.i847:                         ; preds = %B62.i519.i, %views.lacks.15.exit.i.i845
  %storemerge.i518.i = phi i64 [ %.50.i.i.i842, %B62.i519.i ], [ -3, %views.lacks.15.exit.i.i845 ]
  %.1053.i = icmp slt i64 %.50.i.i835, -6
  %.1054.i = select i1 %.1053.i, i64 %.72, i64 0
  %64 = getelementptr i8, ptr %57, i64 48
  %.1068.i = getelementptr i64, ptr %64, i64 %.1054.i
  store i64 %storemerge.i518.i, ptr %.1068.i, align 8, !noalias !443
  br label %B880.i

B880.i:                                           ; preds = %terms.new_node.exit.i847, %B454.i
  %.1109.i = load i64, ptr %.740.i, align 8, !noalias !443
  %.1112.i = shl nsw i64 %.1109.i, 1
  %.1113.i = add nsw i64 %.1112.i, %.743.i
  store i64 %.1113.i, ptr %.49.i.i834, align 8, !noalias !443
  store i64 %.50.i.i835, ptr %.157, align 8, !noalias !443
  br label %common.ret

B402.if.i:                                        ; preds = %B402.if.i.prol.loopexit, %B452.i.1
  %slash.2.09.i = phi i64 [ %slash.3.1.i.1, %B452.i.1 ], [ %slash.2.09.i.unr, %B402.if.i.prol.loopexit ]
  %.463.08.i = phi i64 [ %.525.i.1, %B452.i.1 ], [ %.463.08.i.unr, %B402.if.i.prol.loopexit ]
  %.460.07.i = phi i64 [ %.529.i.1, %B452.i.1 ], [ %.460.07.i.unr, %B402.if.i.prol.loopexit ]
  %.529.i = add i64 %.460.07.i, 2
  %.577.i840 = icmp slt i64 %.460.07.i, 0
  %.578.i841 = select i1 %.577.i840, i64 %.72, i64 0
  %65 = getelementptr i64, ptr %.78, i64 %.460.07.i
  %.592.i = getelementptr i64, ptr %65, i64 %.578.i841
  %.593.i = load i64, ptr %.592.i, align 8, !noalias !443
  %.594.i = icmp eq i64 %.593.i, 48
  br i1 %.594.i, label %B430.i, label %B452.i

B430:                                             ; preds = %B156
  %.659 = getelementptr i8, ptr %0, i64 8
  %.660 = load i64, ptr %.659, align 8
  %.714 = getelementptr i8, ptr %0, i64 16
  %.715 = load i64, ptr %.714, align 8
  %.769 = getelementptr i8, ptr %0, i64 24
  %.770 = load i64, ptr %.769, align 8
  %.824 = getelementptr i8, ptr %0, i64 32
  %.825 = load i64, ptr %.824, align 8
  %.848 = add nsw i64 %.715, %.660
  %.863 = icmp slt i64 %.848, -1
  %.864 = select i1 %.863, i64 %.72, i64 0
  %66 = getelementptr i64, ptr %.78, i64 %.848
  %67 = getelementptr i8, ptr %66, i64 8
  %.878 = getelementptr i64, ptr %67, i64 %.864
  %.879 = load i64, ptr %.878, align 8
  %.896 = icmp slt i64 %.848, 0
  %.897 = select i1 %.896, i64 %.72, i64 0
  %.911 = getelementptr i64, ptr %66, i64 %.897
  %.912 = load i64, ptr %.911, align 8
  %.913 = sub nsw i64 %.879, %.912
  %.915 = icmp eq i64 %.913, %.825
  %.918 = zext i1 %.915 to i64
  %"$phi658.0.2.0" = add nsw i64 %.715, %.918
  %.948 = icmp slt i64 %"$phi658.0.2.0", %.770
  br i1 %.948, label %B680.preheader, label %B740

B680.preheader:                                   ; preds = %B430
  %68 = add nsw i64 %.770, -1
  br label %B680

B680:                                             ; preds = %B680.preheader, %terms.end_of_run.exit
  %i.4.0 = phi i64 [ %stop.3.0.i, %terms.end_of_run.exit ], [ %"$phi658.0.2.0", %B680.preheader ]
  %groups.2.0 = phi i64 [ %.951, %terms.end_of_run.exit ], [ 0, %B680.preheader ]
  %.26.i = add nsw i64 %i.4.0, %.660
  %.40.i = icmp slt i64 %.26.i, 0
  %.41.i = select i1 %.40.i, i64 %.72, i64 0
  %69 = getelementptr i64, ptr %.78, i64 %.26.i
  %.55.i = getelementptr i64, ptr %69, i64 %.41.i
  %.56.i = load i64, ptr %.55.i, align 8, !noalias !450
  %.58.i = add nsw i64 %.56.i, %.825
  %.72.i860 = icmp slt i64 %.58.i, 0
  %.73.i = select i1 %.72.i860, i64 %.72, i64 0
  %70 = getelementptr i64, ptr %.78, i64 %.58.i
  %.87.i = getelementptr i64, ptr %70, i64 %.73.i
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !450
  %.89.i = add nsw i64 %i.4.0, 1
  %.102.i = icmp slt i64 %.89.i, %.770
  br i1 %.102.i, label %B66.i, label %terms.end_of_run.exit

B66.i:                                            ; preds = %B680
  %.113.i = add nsw i64 %.89.i, %.660
  %.129.i = icmp slt i64 %.113.i, 0
  %.130.i = select i1 %.129.i, i64 %.72, i64 0
  %71 = getelementptr i64, ptr %.78, i64 %.113.i
  %.144.i = getelementptr i64, ptr %71, i64 %.130.i
  %.145.i = load i64, ptr %.144.i, align 8, !noalias !450
  %.147.i = add nsw i64 %.145.i, %.825
  %.161.i = icmp slt i64 %.147.i, 0
  %.162.i = select i1 %.161.i, i64 %.72, i64 0
  %72 = getelementptr i64, ptr %.78, i64 %.147.i
  %.176.i861 = getelementptr i64, ptr %72, i64 %.162.i
  %.177.i862 = load i64, ptr %.176.i861, align 8, !noalias !450
  %.179.i = icmp eq i64 %.177.i862, %.88.i
  br i1 %.179.i, label %B114.i, label %terms.end_of_run.exit

B114.i:                                           ; preds = %B66.i, %B136.i
  %stop.2.1.i = phi i64 [ %.185.i, %B136.i ], [ %.89.i, %B66.i ]
  %exitcond.not.i863 = icmp eq i64 %stop.2.1.i, %68
  br i1 %exitcond.not.i863, label %terms.end_of_run.exit.thread, label %B136.i

terms.end_of_run.exit.thread:                     ; preds = %B114.i
  %.9512 = add nuw nsw i64 %groups.2.0, 1
  br label %B740

B136.i:                                           ; preds = %B114.i
  %.185.i = add nsw i64 %stop.2.1.i, 1
  %.206.i = add nsw i64 %.185.i, %.660
  %.222.i = icmp slt i64 %.206.i, 0
  %.223.i = select i1 %.222.i, i64 %.72, i64 0
  %73 = getelementptr i64, ptr %.78, i64 %.206.i
  %.237.i = getelementptr i64, ptr %73, i64 %.223.i
  %.238.i = load i64, ptr %.237.i, align 8, !noalias !450
  %.240.i = add nsw i64 %.238.i, %.825
  %.254.i = icmp slt i64 %.240.i, 0
  %.255.i = select i1 %.254.i, i64 %.72, i64 0
  %74 = getelementptr i64, ptr %.78, i64 %.240.i
  %.269.i = getelementptr i64, ptr %74, i64 %.255.i
  %.270.i = load i64, ptr %.269.i, align 8, !noalias !450
  %.272.i = icmp eq i64 %.270.i, %.88.i
  br i1 %.272.i, label %B114.i, label %terms.end_of_run.exit

terms.end_of_run.exit:                            ; preds = %B136.i, %B680, %B66.i
  %stop.3.0.i = phi i64 [ %.89.i, %B66.i ], [ %.89.i, %B680 ], [ %.185.i, %B136.i ]
  %.951 = add nuw nsw i64 %groups.2.0, 1
  %.991 = icmp slt i64 %stop.3.0.i, %.770
  br i1 %.991, label %B680, label %B740

B740:                                             ; preds = %terms.end_of_run.exit, %terms.end_of_run.exit.thread, %B430
  %groups.3.1 = phi i64 [ %.9512, %terms.end_of_run.exit.thread ], [ 0, %B430 ], [ %.951, %terms.end_of_run.exit ]
  %.999 = shl nsw i64 %groups.3.1, 1
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 32
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !453
  %.1000 = add i64 %.50.i, 1
  %.51.i = add i64 %.1000, %.999
  %.84.not.i = icmp sgt i64 %.51.i, %.72
  br i1 %.84.not.i, label %B840, label %B796

B796:                                             ; preds = %B740
  %.49.i865 = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i866 = load i64, ptr %.49.i865, align 8, !noalias !456
  %.51.i867 = add nsw i64 %.50.i866, %groups.3.1
  %.84.not.i870 = icmp sgt i64 %.51.i867, %.30
  br i1 %.84.not.i870, label %B840, label %B854

B840:                                             ; preds = %B796, %B740
  %.sink = phi i64 [ 3, %B740 ], [ 0, %B796 ]
  %.122.i873 = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 %.sink, ptr %.122.i873, align 8, !noalias !357
  br label %common.ret

B854:                                             ; preds = %B796
  %.1154 = icmp slt i64 %.50.i, 0
  %.1155 = select i1 %.1154, i64 %.72, i64 0
  %75 = getelementptr i64, ptr %.78, i64 %.50.i
  %.1169 = getelementptr i64, ptr %75, i64 %.1155
  store i64 %groups.3.1, ptr %.1169, align 8
  %.125110 = icmp sgt i64 %groups.3.1, 0
  br i1 %.125110, label %B930.if.lr.ph, label %B1310

B930.if.lr.ph:                                    ; preds = %B854
  %76 = add nsw i64 %.770, -1
  %.1464 = add nsw i64 %.825, 1
  %.122.i.i878 = getelementptr i8, ptr %arg.m.4, i64 816
  %.1534 = icmp eq i64 %.280, 9
  %.1551.inv = icmp sgt i64 %.660, 0
  %.1552 = select i1 %.1551.inv, i64 0, i64 %.72
  %77 = getelementptr i64, ptr %.78, i64 %.660
  %78 = getelementptr i8, ptr %77, i64 -8
  %.1566 = getelementptr i64, ptr %78, i64 %.1552
  %.1615 = add nsw i64 %.50.i, 2
  br label %B930.if

B1114:                                            ; preds = %terms.end_of_run.exit926
  %.50.i.i875 = load i64, ptr %.49.i865, align 8, !noalias !459
  %.83.i.i = load i64, ptr %.29, align 8, !noalias !459
  %.84.not.not.i.i876 = icmp slt i64 %.50.i.i875, %.83.i.i
  br i1 %.84.not.not.i.i876, label %B62.i880, label %views.lacks.15.exit.i877

views.lacks.15.exit.i877:                         ; preds = %B1114
  store i64 0, ptr %.122.i.i878, align 8, !noalias !459
  br label %B1240

B62.i880:                                         ; preds = %B1114
  %.1486 = zext i1 %.1465 to i64
  %.98.i = load i64, ptr %arg.m.4, align 8, !noalias !464
  %.107.i881 = inttoptr i64 %.98.i to ptr
  %.212.i = icmp slt i64 %.50.i.i875, 0
  %.213.i = select i1 %.212.i, i64 %.83.i.i, i64 0
  %.214.i = add i64 %.213.i, %.50.i.i875
  %.238.idx.i = shl i64 %.214.i, 6
  %.238.i882 = getelementptr i8, ptr %.107.i881, i64 %.238.idx.i
  store i64 %.280, ptr %.238.i882, align 8, !noalias !464
  %.291.i = getelementptr i8, ptr %.238.i882, i64 8
  store i64 %.660, ptr %.291.i, align 8, !noalias !464
  %.344.i = getelementptr i8, ptr %.238.i882, i64 16
  store i64 %i.5.013, ptr %.344.i, align 8, !noalias !464
  %.397.i = getelementptr i8, ptr %.238.i882, i64 24
  store i64 %stop.3.0.i896, ptr %.397.i, align 8, !noalias !464
  %.450.i = getelementptr i8, ptr %.238.i882, i64 32
  store i64 %.1464, ptr %.450.i, align 8, !noalias !464
  %.504.i = getelementptr i8, ptr %.238.i882, i64 40
  store i64 %.1486, ptr %.504.i, align 8, !noalias !464
  %.559.i = getelementptr i8, ptr %.238.i882, i64 48
  %.614.i883 = add nsw i64 %.50.i.i875, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i, i8 -1, i64 16, i1 false), !noalias !464
  store i64 %.614.i883, ptr %.49.i865, align 8, !noalias !464
  br label %B1240

B1190:                                            ; preds = %terms.end_of_run.exit926
  br i1 %.1534, label %B1212, label %B1240

B1212:                                            ; preds = %B1190
  %.1567 = load i64, ptr %.1566, align 8
  %.1569 = add nsw i64 %.1567, %i.5.013
  br label %B1240

B1240:                                            ; preds = %B62.i880, %views.lacks.15.exit.i877, %B1212, %B1190
  %tail.3.1 = phi i64 [ %.1569, %B1212 ], [ 0, %B1190 ], [ %.50.i.i875, %B62.i880 ], [ -3, %views.lacks.15.exit.i877 ]
  %.1576 = add nsw i64 %.1356, 1
  %.1583 = add nsw i64 %.1000, %81
  %.1597 = icmp slt i64 %.1583, 0
  %.1598 = select i1 %.1597, i64 %.72, i64 0
  %79 = getelementptr i64, ptr %.78, i64 %.1583
  %.1612 = getelementptr i64, ptr %79, i64 %.1598
  store i64 %.1576, ptr %.1612, align 8
  %.1620 = add nsw i64 %.1615, %81
  %.1635 = icmp slt i64 %.1620, 0
  %.1636 = select i1 %.1635, i64 %.72, i64 0
  %80 = getelementptr i64, ptr %.78, i64 %.1620
  %.1650 = getelementptr i64, ptr %80, i64 %.1636
  store i64 %tail.3.1, ptr %.1650, align 8
  %exitcond.not = icmp eq i64 %.1264, %groups.3.1
  br i1 %exitcond.not, label %B1310, label %B930.if

B1310:                                            ; preds = %B1240, %B854
  store i64 %.51.i, ptr %.49.i, align 8
  store i64 %.50.i, ptr %.157, align 8
  br label %common.ret

B930.if:                                          ; preds = %B930.if.lr.ph, %B1240
  %i.5.013 = phi i64 [ %"$phi658.0.2.0", %B930.if.lr.ph ], [ %stop.3.0.i896, %B1240 ]
  %.1195.011 = phi i64 [ 0, %B930.if.lr.ph ], [ %.1264, %B1240 ]
  %.1264 = add nuw nsw i64 %.1195.011, 1
  %81 = shl nuw nsw i64 %.1195.011, 1
  %.1294 = add nsw i64 %i.5.013, %.660
  %.1308 = icmp slt i64 %.1294, 0
  %.1309 = select i1 %.1308, i64 %.72, i64 0
  %82 = getelementptr i64, ptr %.78, i64 %.1294
  %.1323 = getelementptr i64, ptr %82, i64 %.1309
  %.1324 = load i64, ptr %.1323, align 8
  %.1326 = add nsw i64 %.1324, %.825
  %.1340 = icmp slt i64 %.1326, 0
  %.1341 = select i1 %.1340, i64 %.72, i64 0
  %83 = getelementptr i64, ptr %.78, i64 %.1326
  %.1355 = getelementptr i64, ptr %83, i64 %.1341
  %.1356 = load i64, ptr %.1355, align 8
  %.89.i894 = add nsw i64 %i.5.013, 1
  %.102.i895 = icmp slt i64 %.89.i894, %.770
  br i1 %.102.i895, label %B66.i897, label %terms.end_of_run.exit926

B66.i897:                                         ; preds = %B930.if
  %.113.i898 = add nsw i64 %.89.i894, %.660
  %.129.i899 = icmp slt i64 %.113.i898, 0
  %.130.i900 = select i1 %.129.i899, i64 %.72, i64 0
  %84 = getelementptr i64, ptr %.78, i64 %.113.i898
  %.144.i901 = getelementptr i64, ptr %84, i64 %.130.i900
  %.145.i902 = load i64, ptr %.144.i901, align 8, !noalias !465
  %.147.i903 = add nsw i64 %.145.i902, %.825
  %.161.i904 = icmp slt i64 %.147.i903, 0
  %.162.i905 = select i1 %.161.i904, i64 %.72, i64 0
  %85 = getelementptr i64, ptr %.78, i64 %.147.i903
  %.176.i906 = getelementptr i64, ptr %85, i64 %.162.i905
  %.177.i907 = load i64, ptr %.176.i906, align 8, !noalias !465
  %.179.i908 = icmp eq i64 %.177.i907, %.1356
  br i1 %.179.i908, label %B114.i910, label %terms.end_of_run.exit926

B114.i910:                                        ; preds = %B66.i897, %B136.i913
  %stop.2.1.i911 = phi i64 [ %.185.i914, %B136.i913 ], [ %.89.i894, %B66.i897 ]
  %exitcond.not.i912 = icmp eq i64 %stop.2.1.i911, %76
  br i1 %exitcond.not.i912, label %terms.end_of_run.exit926, label %B136.i913

B136.i913:                                        ; preds = %B114.i910
  %.185.i914 = add nsw i64 %stop.2.1.i911, 1
  %.206.i915 = add nsw i64 %.185.i914, %.660
  %.222.i916 = icmp slt i64 %.206.i915, 0
  %.223.i917 = select i1 %.222.i916, i64 %.72, i64 0
  %86 = getelementptr i64, ptr %.78, i64 %.206.i915
  %.237.i918 = getelementptr i64, ptr %86, i64 %.223.i917
  %.238.i919 = load i64, ptr %.237.i918, align 8, !noalias !465
  %.240.i920 = add nsw i64 %.238.i919, %.825
  %.254.i921 = icmp slt i64 %.240.i920, 0
  %.255.i922 = select i1 %.254.i921, i64 %.72, i64 0
  %87 = getelementptr i64, ptr %.78, i64 %.240.i920
  %.269.i923 = getelementptr i64, ptr %87, i64 %.255.i922
  %.270.i924 = load i64, ptr %.269.i923, align 8, !noalias !465
  %.272.i925 = icmp eq i64 %.270.i924, %.1356
  br i1 %.272.i925, label %B114.i910, label %terms.end_of_run.exit926

terms.end_of_run.exit926:                         ; preds = %B114.i910, %B136.i913, %B930.if, %B66.i897
  %stop.3.0.i896 = phi i64 [ %.89.i894, %B66.i897 ], [ %.89.i894, %B930.if ], [ %.770, %B114.i910 ], [ %.185.i914, %B136.i913 ]
  %.1412 = icmp slt i64 %.1294, -1
  %.1413 = select i1 %.1412, i64 %.72, i64 0
  %88 = getelementptr i8, ptr %82, i64 8
  %.1427 = getelementptr i64, ptr %88, i64 %.1413
  %.1428 = load i64, ptr %.1427, align 8
  %.1462 = sub nsw i64 %.1428, %.1324
  %.1465 = icmp eq i64 %.1462, %.1464
  %.1477 = icmp eq i64 %stop.3.0.i896, %.89.i894
  %or.cond = and i1 %.1477, %.1465
  br i1 %or.cond, label %B1190, label %B1114
}

define internal fastcc void @leaves.open_one(ptr noalias nonnull writeonly %retptr, ptr %arg.m.4, i64 %arg.node, i64 %arg.after, i64 %arg.size, i64 %arg.count) unnamed_addr {
entry:
  %.91 = alloca i64, align 8
  %.137 = alloca i64, align 8
  %.28 = icmp eq i64 %arg.after, -3
  br i1 %.28, label %common.ret, label %B70

common.ret:                                       ; preds = %B252.i, %B238.i, %B124.i75, %B142, %entry, %B102
  %.224.sink.i.sink = phi i64 [ -3, %entry ], [ %arg.size, %B102 ], [ %.224.i, %B252.i ], [ -3, %B238.i ], [ -3, %B142 ], [ %arg.size, %B124.i75 ]
  %arg.count.sink = phi i64 [ %arg.count, %entry ], [ %.107, %B102 ], [ %arg.count, %B252.i ], [ %arg.count, %B238.i ], [ %arg.count, %B142 ], [ %arg.count, %B124.i75 ]
  store i64 %.224.sink.i.sink, ptr %retptr, align 8
  %retptr.repack68 = getelementptr inbounds i8, ptr %retptr, i64 8
  store i64 %arg.count.sink, ptr %retptr.repack68, align 8
  ret void

B70:                                              ; preds = %entry
  %arg.m.4.val = load i64, ptr %arg.m.4, align 8
  %0 = getelementptr i8, ptr %arg.m.4, i64 16
  %arg.m.4.val74 = load i64, ptr %0, align 8
  %.37.i = inttoptr i64 %arg.m.4.val to ptr
  %.91.i = icmp slt i64 %arg.node, 0
  %.92.i = select i1 %.91.i, i64 %arg.m.4.val74, i64 0
  %.93.i = add i64 %.92.i, %arg.node
  %.117.idx.i = shl i64 %.93.i, 6
  %.117.i = getelementptr i8, ptr %.37.i, i64 %.117.idx.i
  %.118.i = load i64, ptr %.117.i, align 8, !noalias !468
  %.119.i = icmp eq i64 %.118.i, 2
  br i1 %.119.i, label %B94.i, label %B124.i

B94.i:                                            ; preds = %B70
  %.176.i = getelementptr i8, ptr %.117.i, i64 8
  %.177.i = load i64, ptr %.176.i, align 8, !noalias !468
  br label %B124.i

B124.i:                                           ; preds = %B94.i, %B70
  %node.2.0.i = phi i64 [ %.177.i, %B94.i ], [ %arg.node, %B70 ]
  %.210.i = icmp slt i64 %node.2.0.i, 0
  %.211.i = select i1 %.210.i, i64 %arg.m.4.val74, i64 0
  %.212.i = add i64 %.211.i, %node.2.0.i
  %.236.idx.i = shl i64 %.212.i, 6
  %.236.i = getelementptr i8, ptr %.37.i, i64 %.236.idx.i
  %.237.i = load i64, ptr %.236.i, align 8, !noalias !468
  switch i64 %.237.i, label %B142 [
    i64 5, label %B176.i
    i64 1, label %B102
    i64 7, label %B328.i
  ]

B176.i:                                           ; preds = %B124.i
  %.299.i = getelementptr i8, ptr %.236.i, i64 24
  %.300.i = load i64, ptr %.299.i, align 8, !noalias !468
  %.354.i = getelementptr i8, ptr %.236.i, i64 16
  %.355.i = load i64, ptr %.354.i, align 8, !noalias !468
  %.356.i = add nsw i64 %.355.i, 1
  %.357.i = icmp eq i64 %.300.i, %.356.i
  br i1 %.357.i, label %leaves.is_leaf.exit, label %B142

B328.i:                                           ; preds = %B124.i
  %.503.i = getelementptr i8, ptr %.236.i, i64 16
  %.504.i = load i64, ptr %.503.i, align 8, !noalias !468
  %.507.i.not = icmp eq i64 %.504.i, 0
  br i1 %.507.i.not, label %B142, label %B102

leaves.is_leaf.exit:                              ; preds = %B176.i
  %.417.i = getelementptr i8, ptr %.236.i, i64 40
  %.418.i = load i64, ptr %.417.i, align 8, !noalias !468
  %.421.i = icmp eq i64 %.418.i, 0
  br i1 %.421.i, label %B102, label %B142

B102:                                             ; preds = %B328.i, %B124.i, %leaves.is_leaf.exit
  call fastcc void @leaves.append_leaf(ptr %.91, ptr nonnull %arg.m.4, i64 %arg.node, i64 %arg.after, i64 %arg.count)
  %.107 = load i64, ptr %.91, align 8
  br label %common.ret

B142:                                             ; preds = %B328.i, %B124.i, %B176.i, %leaves.is_leaf.exit
  store i64 0, ptr %.137, align 8
  call fastcc void @terms.push(ptr %.137, ptr nonnull %arg.m.4, i64 %arg.node, i64 %arg.after)
  %.153 = load i64, ptr %.137, align 8
  %.71.i = getelementptr i8, ptr %arg.m.4, i64 240
  %.72.i = load i64, ptr %.71.i, align 8, !noalias !471
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 256
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !471
  %.81.i = inttoptr i64 %.72.i to ptr
  %.108.i = icmp eq i64 %.153, -3
  br i1 %.108.i, label %common.ret, label %B124.i75

B124.i75:                                         ; preds = %B142
  %.29.i = getelementptr i8, ptr %arg.m.4, i64 48
  %.30.i = load i64, ptr %.29.i, align 8, !noalias !471
  %.39.i = inttoptr i64 %.30.i to ptr
  %.32.i = getelementptr i8, ptr %arg.m.4, i64 64
  %.33.i = load i64, ptr %.32.i, align 8, !noalias !471
  %.149.i = icmp slt i64 %.153, 0
  %.150.i = select i1 %.149.i, i64 %.33.i, i64 0
  %.151.i = add i64 %.150.i, %.153
  %.idx.i = shl i64 %.151.i, 6
  %1 = getelementptr i8, ptr %.39.i, i64 %.idx.i
  %.175.i = getelementptr i8, ptr %1, i64 40
  %.176.i76 = load i64, ptr %.175.i, align 8, !noalias !471
  %.205.i = getelementptr i8, ptr %arg.m.4, i64 840
  %.206.i = load i64, ptr %.205.i, align 8, !noalias !471
  %.207.i = icmp eq i64 %.176.i76, %.206.i
  br i1 %.207.i, label %common.ret, label %B188.i

B188.i:                                           ; preds = %B124.i75
  %.224.i = add nsw i64 %arg.size, 1
  %.49.i.i = getelementptr i8, ptr %arg.m.4, i64 248
  %.50.i.i = load i64, ptr %.49.i.i, align 8, !noalias !474
  %.51.i.i = add nsw i64 %.50.i.i, %.224.i
  %.84.not.i.i = icmp sgt i64 %.51.i.i, %.75.i
  br i1 %.84.not.i.i, label %B238.i, label %B252.i

B238.i:                                           ; preds = %B188.i
  %.122.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 30, ptr %.122.i.i, align 8, !noalias !474
  br label %common.ret

B252.i:                                           ; preds = %B188.i
  store i64 %.206.i, ptr %.175.i, align 8, !noalias !471
  %.380.i = icmp slt i64 %arg.size, 0
  %.381.i = select i1 %.380.i, i64 %.75.i, i64 0
  %2 = getelementptr i64, ptr %.81.i, i64 %arg.size
  %.395.i = getelementptr i64, ptr %2, i64 %.381.i
  store i64 %.153, ptr %.395.i, align 8, !noalias !471
  br label %common.ret
}

define internal fastcc i32 @classes.aside(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.21 = alloca [2 x i64], align 8
  %.fca.1.gep = getelementptr inbounds i8, ptr %.21, i64 8
  %excinfo.1 = alloca ptr, align 8
  store ptr null, ptr %excinfo.1, align 8
  %.65 = alloca i64, align 8
  %excinfo.2 = alloca ptr, align 8
  store ptr null, ptr %excinfo.2, align 8
  %.268 = alloca i64, align 8
  %.420 = alloca i64, align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.21, i8 0, i64 16, i1 false)
  %.27 = call fastcc i32 @classes.round_of(ptr %.21, ptr %excinfo.1, ptr %arg.m.4, i64 %arg.state)
  %.29.not = icmp eq i32 %.27, 0
  %.37.fca.0.load = load i64, ptr %.21, align 8
  %.37.fca.1.load = load i64, ptr %.fca.1.gep, align 8
  br i1 %.29.not, label %B0.endif, label %B0.if, !prof !4

B64:                                              ; preds = %B0.endif
  store i64 0, ptr %.65, align 8
  %.71 = call fastcc i32 @classes.others(ptr %.65, ptr %excinfo.2, ptr %arg.m.4, i64 %arg.state, i64 %.37.fca.0.load, i64 %.37.fca.1.load)
  %.73.not = icmp eq i32 %.71, 0
  br i1 %.73.not, label %B112, label %B64.if, !prof !4

B112:                                             ; preds = %B64
  %.81 = load i64, ptr %.65, align 8
  %.158 = icmp eq i64 %.81, 1
  br i1 %.158, label %B168, label %B262

B168:                                             ; preds = %B112
  %.124 = getelementptr i8, ptr %arg.m.4, i64 288
  %.125 = load i64, ptr %.124, align 8
  %.134 = inttoptr i64 %.125 to ptr
  %.195 = load i64, ptr %.134, align 8
  %.196 = and i64 %.195, 4294967295
  %.19.not.i = icmp eq i64 %.196, 0
  br i1 %.19.not.i, label %B382, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B168
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !477
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !477
  %.42.i = inttoptr i64 %.33.i to ptr
  %.74.i = getelementptr i8, ptr %arg.m.4, i64 48
  %.75.i = load i64, ptr %.74.i, align 8, !noalias !477
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.196, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !477
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !477
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B218, label %B382

B218:                                             ; preds = %leaves.is_split.exit
  store i64 0, ptr %.268, align 8
  call fastcc void @leaves.unsplit(ptr %.268, ptr nonnull %arg.m.4, i64 %.195)
  %.284 = load i64, ptr %.268, align 8
  br label %B262

B262:                                             ; preds = %B218, %B112
  %n.2.0 = phi i64 [ %.284, %B218 ], [ %.81, %B112 ]
  %.404 = icmp eq i64 %n.2.0, -3
  br i1 %.404, label %B480, label %B382

B382:                                             ; preds = %B168, %leaves.is_split.exit, %B262
  %n.2.010 = phi i64 [ %n.2.0, %B262 ], [ 1, %leaves.is_split.exit ], [ 1, %B168 ]
  %.309 = getelementptr i8, ptr %arg.m.4, i64 120
  %.310 = load i64, ptr %.309, align 8
  %.319 = inttoptr i64 %.310 to ptr
  %.371 = icmp slt i64 %arg.state, 0
  %.312 = getelementptr i8, ptr %arg.m.4, i64 136
  %.313 = load i64, ptr %.312, align 8
  %.372 = select i1 %.371, i64 %.313, i64 0
  %.373 = add i64 %.372, %arg.state
  %.idx = shl i64 %.373, 6
  %0 = getelementptr i8, ptr %.319, i64 %.idx
  %.397 = getelementptr i8, ptr %0, i64 32
  %.398 = load i64, ptr %.397, align 8
  %.399 = and i64 %.398, 1
  store i64 0, ptr %.420, align 8
  call fastcc void @states.state_of_leaves(ptr %.420, ptr nonnull %arg.m.4, i64 36, i64 0, i64 %n.2.010, i64 %.399)
  %.436 = load i64, ptr %.420, align 8
  br label %B480

common.ret:                                       ; preds = %B64.if, %B0.if, %B480
  %common.ret.op = phi i32 [ 0, %B480 ], [ 1, %B64.if ], [ 1, %B0.if ]
  ret i32 %common.ret.op

B480:                                             ; preds = %B0.endif, %B262, %B382
  %"$phi480.0.2.0" = phi i64 [ %.436, %B382 ], [ -3, %B262 ], [ -3, %B0.endif ]
  store i64 %"$phi480.0.2.0", ptr %retptr, align 8
  br label %common.ret

B0.if:                                            ; preds = %entry
  %.28 = load ptr, ptr %excinfo.1, align 8
  store ptr %.28, ptr %excinfo, align 8
  br label %common.ret

B0.endif:                                         ; preds = %entry
  %.58.not = icmp eq i64 %.37.fca.1.load, -3
  br i1 %.58.not, label %B480, label %B64

B64.if:                                           ; preds = %B64
  %.72 = load ptr, ptr %excinfo.2, align 8
  store ptr %.72, ptr %excinfo, align 8
  br label %common.ret
}

define internal fastcc i32 @classes.round_of(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.105 = alloca i64, align 8
  %.536 = alloca i64, align 8
  %.1091 = alloca i64, align 8
  %.27 = load i64, ptr %arg.m.4, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 16
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.68 = getelementptr i8, ptr %arg.m.4, i64 48
  %.69 = load i64, ptr %.68, align 8
  %.71 = getelementptr i8, ptr %arg.m.4, i64 64
  %.72 = load i64, ptr %.71, align 8
  %.78 = inttoptr i64 %.69 to ptr
  store i64 0, ptr %.105, align 8
  %.111 = call fastcc i32 @classes.term_of(ptr %.105, ptr nonnull %arg.m.4, i64 %arg.state)
  %.113.not = icmp eq i32 %.111, 0
  %.121 = load i64, ptr %.105, align 8
  br i1 %.113.not, label %B0.endif, label %B0.if, !prof !4

B200:                                             ; preds = %B0.endif
  %.198.idx = shl i64 %.121, 6
  %.198 = getelementptr i8, ptr %.78, i64 %.198.idx
  %.199 = load i64, ptr %.198, align 8
  %.199.fr = freeze i64 %.199
  %.246 = icmp slt i64 %.199.fr, 0
  %spec.select = select i1 %.246, i64 %.30, i64 0
  br label %B200.thread

B200.thread:                                      ; preds = %B200, %B0.endif
  %"$phi200.0.2.04" = phi i64 [ 0, %B0.endif ], [ %.199.fr, %B200 ]
  %0 = phi i64 [ 0, %B0.endif ], [ %spec.select, %B200 ]
  %.248 = add i64 %0, %"$phi200.0.2.04"
  %.272.idx = shl i64 %.248, 6
  %.272 = getelementptr i8, ptr %.36, i64 %.272.idx
  %.273 = load i64, ptr %.272, align 8
  switch i64 %.273, label %B794.thread [
    i64 4, label %B310
    i64 6, label %B450
  ]

B310:                                             ; preds = %B200.thread
  %.334 = getelementptr i8, ptr %.272, i64 8
  %.335 = load i64, ptr %.334, align 8
  %.64.i = getelementptr i8, ptr %arg.m.4, i64 24
  %.65.i = load i64, ptr %.64.i, align 8, !noalias !480
  %.67.i = getelementptr i8, ptr %arg.m.4, i64 40
  %.68.i = load i64, ptr %.67.i, align 8, !noalias !480
  %.74.i = inttoptr i64 %.65.i to ptr
  %.127.i = icmp slt i64 %.335, 0
  %.128.i = select i1 %.127.i, i64 %.30, i64 0
  %.129.i = add i64 %.128.i, %.335
  %.153.idx.i = shl i64 %.129.i, 6
  %.153.i = getelementptr i8, ptr %.36, i64 %.153.idx.i
  %.154.i = load i64, ptr %.153.i, align 8, !noalias !480
  %.155.i = icmp eq i64 %.154.i, 3
  br i1 %.155.i, label %B136.i, label %B564.i

B136.i:                                           ; preds = %B310
  %.320.i = getelementptr i8, ptr %.153.i, i64 16
  %.321.i = load i64, ptr %.320.i, align 8, !noalias !480
  %.4045.not.i = icmp slt i64 %.321.i, 1
  br i1 %.4045.not.i, label %B564.i, label %B252.if.preheader.i

B252.if.preheader.i:                              ; preds = %B136.i
  %.210.i = getelementptr i8, ptr %.153.i, i64 8
  %.211.i = load i64, ptr %.210.i, align 8, !noalias !480
  br label %B252.if.i

B318.i:                                           ; preds = %B252.if.i
  %.599.i = load i64, ptr %2, align 8, !noalias !480
  %.600.i = icmp eq i64 %.599.i, 3
  br i1 %.600.i, label %B366.i, label %B562.i

B366.i:                                           ; preds = %B318.i
  %.655.i = getelementptr i8, ptr %2, i64 8
  %.656.i = load i64, ptr %.655.i, align 8, !noalias !480
  %.767.i = getelementptr i8, ptr %2, i64 16
  %.768.i = load i64, ptr %.767.i, align 8, !noalias !480
  %spec.select2.i = tail call i64 @llvm.smax.i64(i64 %.768.i, i64 0)
  br label %B482.i

B482.i:                                           ; preds = %B482.if.i, %B366.i
  %.793.0.i = phi i64 [ %.656.i, %B366.i ], [ %.862.i, %B482.if.i ]
  %.796.0.i = phi i64 [ %spec.select2.i, %B366.i ], [ %.858.i, %B482.if.i ]
  %.849.i = icmp sgt i64 %.796.0.i, 0
  br i1 %.849.i, label %B482.if.i, label %B562.i

B562.i:                                           ; preds = %B482.i, %B318.i
  %.404.i = icmp sgt i64 %.349.07.i, 1
  br i1 %.404.i, label %B252.if.i, label %B564.i

B564.i:                                           ; preds = %B562.i, %B136.i, %B310
  %.1091.i = getelementptr i8, ptr %.153.i, i64 56
  %.1092.i = load i64, ptr %.1091.i, align 8, !noalias !480
  %.1095.i = icmp sgt i64 %.1092.i, -1
  %arg.body..i = select i1 %.1095.i, i64 %.335, i64 -1
  br label %leaves.charset_of.exit

B252.if.i:                                        ; preds = %B562.i, %B252.if.preheader.i
  %.349.07.i = phi i64 [ %.413.i, %B562.i ], [ %.321.i, %B252.if.preheader.i ]
  %.346.06.i = phi i64 [ %.417.i, %B562.i ], [ %.211.i, %B252.if.preheader.i ]
  %.413.i = add nsw i64 %.349.07.i, -1
  %.417.i = add i64 %.346.06.i, 1
  %.455.i = icmp slt i64 %.346.06.i, 0
  %.456.i = select i1 %.455.i, i64 %.68.i, i64 0
  %1 = getelementptr i64, ptr %.74.i, i64 %.346.06.i
  %.470.i = getelementptr i64, ptr %1, i64 %.456.i
  %.471.i = load i64, ptr %.470.i, align 8, !noalias !480
  %.502.i = icmp slt i64 %.471.i, 0
  %.503.i = select i1 %.502.i, i64 %.30, i64 0
  %.504.i = add i64 %.503.i, %.471.i
  %.idx3.i = shl i64 %.504.i, 6
  %2 = getelementptr i8, ptr %.36, i64 %.idx3.i
  %.528.i = getelementptr i8, ptr %2, i64 56
  %.529.i = load i64, ptr %.528.i, align 8, !noalias !480
  %.530.i = icmp sgt i64 %.529.i, -1
  br i1 %.530.i, label %leaves.charset_of.exit, label %B318.i

B482.if.i:                                        ; preds = %B482.i
  %.858.i = add nsw i64 %.796.0.i, -1
  %.862.i = add i64 %.793.0.i, 1
  %.904.i = icmp slt i64 %.793.0.i, 0
  %.905.i = select i1 %.904.i, i64 %.68.i, i64 0
  %3 = getelementptr i64, ptr %.74.i, i64 %.793.0.i
  %.919.i = getelementptr i64, ptr %3, i64 %.905.i
  %.920.i = load i64, ptr %.919.i, align 8, !noalias !480
  %.947.i = icmp slt i64 %.920.i, 0
  %.948.i = select i1 %.947.i, i64 %.30, i64 0
  %.949.i = add i64 %.948.i, %.920.i
  %.idx.i = shl i64 %.949.i, 6
  %4 = getelementptr i8, ptr %.36, i64 %.idx.i
  %.973.i = getelementptr i8, ptr %4, i64 56
  %.974.i = load i64, ptr %.973.i, align 8, !noalias !480
  %.975.i = icmp sgt i64 %.974.i, -1
  br i1 %.975.i, label %leaves.charset_of.exit, label %B482.i

leaves.charset_of.exit:                           ; preds = %B252.if.i, %B482.if.i, %B564.i
  %arg.body..sink.i = phi i64 [ %arg.body..i, %B564.i ], [ %.920.i, %B482.if.i ], [ %.471.i, %B252.if.i ]
  %.116.i = getelementptr i8, ptr %.272, i64 48
  %.117.i = load i64, ptr %.116.i, align 8, !noalias !483
  %.118.i = icmp slt i64 %.117.i, 0
  br i1 %.118.i, label %B84.i, label %B700

B84.i:                                            ; preds = %leaves.charset_of.exit
  %.228.i = getelementptr i8, ptr %.272, i64 16
  %.229.i = load i64, ptr %.228.i, align 8, !noalias !483
  %.283.i = getelementptr i8, ptr %.272, i64 24
  %.284.i = load i64, ptr %.283.i, align 8, !noalias !483
  %.295.i = icmp eq i64 %.284.i, 1
  br i1 %.295.i, label %B516.i, label %B228.i

B228.i:                                           ; preds = %B84.i
  %.310.i = icmp eq i64 %.284.i, -1
  %.313.i = icmp eq i64 %.229.i, 0
  %or.cond.i = select i1 %.310.i, i1 %.313.i, i1 false
  br i1 %or.cond.i, label %B516.i, label %B268.i

B268.i:                                           ; preds = %B228.i
  %.49.i.i.i = getelementptr i8, ptr %arg.m.4, i64 8
  %.50.i.i.i = load i64, ptr %.49.i.i.i, align 8, !noalias !486
  %.84.not.not.i.i.i = icmp slt i64 %.50.i.i.i, %.30
  br i1 %.84.not.not.i.i.i, label %terms.new_node.exit.i, label %terms.new_node.exit.thread.i

terms.new_node.exit.thread.i:                     ; preds = %B268.i
  %.122.i.i.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 0, ptr %.122.i.i.i, align 8, !noalias !486
  br label %B794.thread

terms.new_node.exit.i:                            ; preds = %B268.i
  %5 = tail call i64 @llvm.smax.i64(i64 %.229.i, i64 1)
  %.11.i.i = add nsw i64 %5, -1
  %.386.i = icmp eq i64 %.11.i.i, 0
  %.388.i = zext i1 %.386.i to i64
  %.375.i = add nsw i64 %.284.i, -1
  %"$phi340.0.2.0.i" = select i1 %.310.i, i64 -1, i64 %.375.i
  %.212.i.i = icmp slt i64 %.50.i.i.i, 0
  %.213.i.i = select i1 %.212.i.i, i64 %.30, i64 0
  %.214.i.i = add i64 %.213.i.i, %.50.i.i.i
  %.238.idx.i.i = shl i64 %.214.i.i, 6
  %.238.i.i = getelementptr i8, ptr %.36, i64 %.238.idx.i.i
  store i64 4, ptr %.238.i.i, align 8, !noalias !491
  %.291.i.i = getelementptr i8, ptr %.238.i.i, i64 8
  store i64 %.335, ptr %.291.i.i, align 8, !noalias !491
  %.344.i.i = getelementptr i8, ptr %.238.i.i, i64 16
  store i64 %.11.i.i, ptr %.344.i.i, align 8, !noalias !491
  %.397.i.i = getelementptr i8, ptr %.238.i.i, i64 24
  store i64 %"$phi340.0.2.0.i", ptr %.397.i.i, align 8, !noalias !491
  %.450.i.i = getelementptr i8, ptr %.238.i.i, i64 32
  store i64 0, ptr %.450.i.i, align 8, !noalias !491
  %.504.i.i = getelementptr i8, ptr %.238.i.i, i64 40
  store i64 %.388.i, ptr %.504.i.i, align 8, !noalias !491
  %.559.i.i = getelementptr i8, ptr %.238.i.i, i64 48
  %.614.i.i = add nsw i64 %.50.i.i.i, 1
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(16) %.559.i.i, i8 -1, i64 16, i1 false), !noalias !491
  store i64 %.614.i.i, ptr %.49.i.i.i, align 8, !noalias !491
  %.426.i = icmp eq i64 %.50.i.i.i, -3
  br i1 %.426.i, label %B794.thread, label %B516.i

B516.i:                                           ; preds = %terms.new_node.exit.i, %B228.i, %B84.i
  %less.3.0.i = phi i64 [ %.50.i.i.i, %terms.new_node.exit.i ], [ 0, %B84.i ], [ %"$phi200.0.2.04", %B228.i ]
  store i64 %less.3.0.i, ptr %.116.i, align 8, !noalias !483
  br label %B700

B450:                                             ; preds = %B200.thread
  %.525 = getelementptr i8, ptr %.272, i64 16
  %.526 = load i64, ptr %.525, align 8
  %.527.not = icmp eq i64 %.526, 0
  br i1 %.527.not, label %B794.thread, label %B480

B480:                                             ; preds = %B450
  store i64 0, ptr %.536, align 8
  call fastcc void @terms.edges_of(ptr %.536, ptr nonnull %arg.m.4, i64 %"$phi200.0.2.04")
  %.552 = load i64, ptr %.536, align 8
  %.568 = icmp eq i64 %.552, -3
  br i1 %.568, label %B534, label %B552

common.ret:                                       ; preds = %B0.if, %B1004, %B794.thread, %B534
  %common.ret.op = phi i32 [ 0, %B534 ], [ 0, %B794.thread ], [ 0, %B1004 ], [ 1, %B0.if ]
  ret i32 %common.ret.op

B534:                                             ; preds = %B480
  store i64 -1, ptr %retptr, align 8
  %retptr.repack521 = getelementptr inbounds i8, ptr %retptr, i64 8
  store i64 -3, ptr %retptr.repack521, align 8
  br label %common.ret

B552:                                             ; preds = %B480
  %.604 = getelementptr i8, ptr %arg.m.4, i64 24
  %.605 = load i64, ptr %.604, align 8
  %.607 = getelementptr i8, ptr %arg.m.4, i64 40
  %.608 = load i64, ptr %.607, align 8
  %.614 = inttoptr i64 %.605 to ptr
  %.648 = icmp slt i64 %.552, -1
  %.649 = select i1 %.648, i64 %.608, i64 0
  %6 = getelementptr i64, ptr %.614, i64 %.552
  %7 = getelementptr i8, ptr %6, i64 8
  %.663 = getelementptr i64, ptr %7, i64 %.649
  %.664 = load i64, ptr %.663, align 8
  %.24.i530 = load i64, ptr %arg.m.4, align 8, !noalias !492
  %.27.i532 = load i64, ptr %.29, align 8, !noalias !492
  %.33.i533 = inttoptr i64 %.24.i530 to ptr
  %.127.i539 = icmp slt i64 %.664, 0
  %.128.i540 = select i1 %.127.i539, i64 %.27.i532, i64 0
  %.129.i541 = add i64 %.128.i540, %.664
  %.153.idx.i542 = shl i64 %.129.i541, 6
  %.153.i543 = getelementptr i8, ptr %.33.i533, i64 %.153.idx.i542
  %.154.i544 = load i64, ptr %.153.i543, align 8, !noalias !492
  %.155.i545 = icmp eq i64 %.154.i544, 3
  br i1 %.155.i545, label %B136.i552, label %B564.i546

B136.i552:                                        ; preds = %B552
  %.320.i553 = getelementptr i8, ptr %.153.i543, i64 16
  %.321.i554 = load i64, ptr %.320.i553, align 8, !noalias !492
  %.4045.not.i555 = icmp slt i64 %.321.i554, 1
  br i1 %.4045.not.i555, label %B564.i546, label %B252.if.preheader.i556

B252.if.preheader.i556:                           ; preds = %B136.i552
  %.210.i557 = getelementptr i8, ptr %.153.i543, i64 8
  %.211.i558 = load i64, ptr %.210.i557, align 8, !noalias !492
  br label %B252.if.i559

B318.i575:                                        ; preds = %B252.if.i559
  %.599.i576 = load i64, ptr %9, align 8, !noalias !492
  %.600.i577 = icmp eq i64 %.599.i576, 3
  br i1 %.600.i577, label %B366.i580, label %B562.i578

B366.i580:                                        ; preds = %B318.i575
  %.655.i581 = getelementptr i8, ptr %9, i64 8
  %.656.i582 = load i64, ptr %.655.i581, align 8, !noalias !492
  %.767.i583 = getelementptr i8, ptr %9, i64 16
  %.768.i584 = load i64, ptr %.767.i583, align 8, !noalias !492
  %spec.select2.i585 = tail call i64 @llvm.smax.i64(i64 %.768.i584, i64 0)
  br label %B482.i586

B482.i586:                                        ; preds = %B482.if.i590, %B366.i580
  %.793.0.i587 = phi i64 [ %.656.i582, %B366.i580 ], [ %.862.i592, %B482.if.i590 ]
  %.796.0.i588 = phi i64 [ %spec.select2.i585, %B366.i580 ], [ %.858.i591, %B482.if.i590 ]
  %.849.i589 = icmp sgt i64 %.796.0.i588, 0
  br i1 %.849.i589, label %B482.if.i590, label %B562.i578

B562.i578:                                        ; preds = %B482.i586, %B318.i575
  %.404.i579 = icmp sgt i64 %.349.07.i560, 1
  br i1 %.404.i579, label %B252.if.i559, label %B564.i546

B564.i546:                                        ; preds = %B562.i578, %B136.i552, %B552
  %.1091.i547 = getelementptr i8, ptr %.153.i543, i64 56
  %.1092.i548 = load i64, ptr %.1091.i547, align 8, !noalias !492
  %.1095.i549 = icmp sgt i64 %.1092.i548, -1
  %arg.body..i550 = select i1 %.1095.i549, i64 %.664, i64 -1
  br label %leaves.charset_of.exit604

B252.if.i559:                                     ; preds = %B562.i578, %B252.if.preheader.i556
  %.349.07.i560 = phi i64 [ %.413.i562, %B562.i578 ], [ %.321.i554, %B252.if.preheader.i556 ]
  %.346.06.i561 = phi i64 [ %.417.i563, %B562.i578 ], [ %.211.i558, %B252.if.preheader.i556 ]
  %.413.i562 = add nsw i64 %.349.07.i560, -1
  %.417.i563 = add i64 %.346.06.i561, 1
  %.455.i564 = icmp slt i64 %.346.06.i561, 0
  %.456.i565 = select i1 %.455.i564, i64 %.608, i64 0
  %8 = getelementptr i64, ptr %.614, i64 %.346.06.i561
  %.470.i566 = getelementptr i64, ptr %8, i64 %.456.i565
  %.471.i567 = load i64, ptr %.470.i566, align 8, !noalias !492
  %.502.i568 = icmp slt i64 %.471.i567, 0
  %.503.i569 = select i1 %.502.i568, i64 %.27.i532, i64 0
  %.504.i570 = add i64 %.503.i569, %.471.i567
  %.idx3.i571 = shl i64 %.504.i570, 6
  %9 = getelementptr i8, ptr %.33.i533, i64 %.idx3.i571
  %.528.i572 = getelementptr i8, ptr %9, i64 56
  %.529.i573 = load i64, ptr %.528.i572, align 8, !noalias !492
  %.530.i574 = icmp sgt i64 %.529.i573, -1
  br i1 %.530.i574, label %leaves.charset_of.exit604, label %B318.i575

B482.if.i590:                                     ; preds = %B482.i586
  %.858.i591 = add nsw i64 %.796.0.i588, -1
  %.862.i592 = add i64 %.793.0.i587, 1
  %.904.i593 = icmp slt i64 %.793.0.i587, 0
  %.905.i594 = select i1 %.904.i593, i64 %.608, i64 0
  %10 = getelementptr i64, ptr %.614, i64 %.793.0.i587
  %.919.i595 = getelementptr i64, ptr %10, i64 %.905.i594
  %.920.i596 = load i64, ptr %.919.i595, align 8, !noalias !492
  %.947.i597 = icmp slt i64 %.920.i596, 0
  %.948.i598 = select i1 %.947.i597, i64 %.27.i532, i64 0
  %.949.i599 = add i64 %.948.i598, %.920.i596
  %.idx.i600 = shl i64 %.949.i599, 6
  %11 = getelementptr i8, ptr %.33.i533, i64 %.idx.i600
  %.973.i601 = getelementptr i8, ptr %11, i64 56
  %.974.i602 = load i64, ptr %.973.i601, align 8, !noalias !492
  %.975.i603 = icmp sgt i64 %.974.i602, -1
  br i1 %.975.i603, label %leaves.charset_of.exit604, label %B482.i586

leaves.charset_of.exit604:                        ; preds = %B252.if.i559, %B482.if.i590, %B564.i546
  %arg.body..sink.i551 = phi i64 [ %arg.body..i550, %B564.i546 ], [ %.920.i596, %B482.if.i590 ], [ %.471.i567, %B252.if.i559 ]
  %.746 = icmp slt i64 %.552, -2
  %.747 = select i1 %.746, i64 %.608, i64 0
  %12 = getelementptr i8, ptr %6, i64 16
  %.761 = getelementptr i64, ptr %12, i64 %.747
  %.762 = load i64, ptr %.761, align 8
  br label %B700

B700:                                             ; preds = %B516.i, %leaves.charset_of.exit, %leaves.charset_of.exit604
  %less.3.0 = phi i64 [ %less.3.0.i, %B516.i ], [ %.762, %leaves.charset_of.exit604 ], [ %.117.i, %leaves.charset_of.exit ]
  %one.3.0 = phi i64 [ %arg.body..sink.i, %B516.i ], [ %arg.body..sink.i551, %leaves.charset_of.exit604 ], [ %arg.body..sink.i, %leaves.charset_of.exit ]
  %less.3.0.fr = freeze i64 %less.3.0
  %.775 = icmp slt i64 %one.3.0, 0
  %.778 = icmp eq i64 %less.3.0.fr, -3
  %or.cond = or i1 %.775, %.778
  br i1 %or.cond, label %B794, label %B734

B734:                                             ; preds = %B700
  %.idx = shl i64 %one.3.0, 6
  %13 = getelementptr i8, ptr %.36, i64 %.idx
  %.833 = getelementptr i8, ptr %13, i64 32
  %.834 = load i64, ptr %.833, align 8
  %.865 = getelementptr i8, ptr %arg.m.4, i64 864
  %.866 = load i64, ptr %.865, align 8
  %.867.not = icmp sgt i64 %.834, %.866
  br i1 %.867.not, label %B854, label %B794.thread

B794:                                             ; preds = %B700
  %spec.select40 = select i1 %.778, i64 -3, i64 -1
  br label %B794.thread

B794.thread:                                      ; preds = %B794, %terms.new_node.exit.i, %terms.new_node.exit.thread.i, %B200.thread, %B450, %B734
  %one.3.01027 = phi i64 [ %arg.body..sink.i, %terms.new_node.exit.i ], [ %one.3.0, %B794 ], [ %one.3.0, %B734 ], [ -1, %B200.thread ], [ -1, %B450 ], [ %arg.body..sink.i, %terms.new_node.exit.thread.i ]
  %14 = phi i64 [ -3, %terms.new_node.exit.i ], [ %spec.select40, %B794 ], [ -1, %B734 ], [ -1, %B200.thread ], [ -1, %B450 ], [ -3, %terms.new_node.exit.thread.i ]
  store i64 %one.3.01027, ptr %retptr, align 8
  %retptr.repack526 = getelementptr inbounds i8, ptr %retptr, i64 8
  store i64 %14, ptr %retptr.repack526, align 8
  br label %common.ret

B854:                                             ; preds = %B734
  %.918 = getelementptr i8, ptr %arg.m.4, i64 120
  %.919 = load i64, ptr %.918, align 8
  %.921 = getelementptr i8, ptr %arg.m.4, i64 136
  %.922 = load i64, ptr %.921, align 8
  %.928 = inttoptr i64 %.919 to ptr
  %.980 = icmp slt i64 %arg.state, 0
  %.981 = select i1 %.980, i64 %.922, i64 0
  %.982 = add i64 %.981, %arg.state
  %.idx522 = shl i64 %.982, 6
  %15 = getelementptr i8, ptr %.928, i64 %.idx522
  %.1006 = getelementptr i8, ptr %15, i64 40
  %.1007 = load i64, ptr %.1006, align 8
  %.1008 = icmp eq i64 %.1007, -2
  br i1 %.1008, label %B1004, label %B946

B946:                                             ; preds = %B854
  %.1059 = icmp slt i64 %.121, 0
  %.1060 = select i1 %.1059, i64 %.72, i64 0
  %.1061 = add i64 %.1060, %.121
  %.idx523 = shl i64 %.1061, 6
  %16 = getelementptr i8, ptr %.78, i64 %.idx523
  %.1085 = getelementptr i8, ptr %16, i64 8
  %.1086 = load i64, ptr %.1085, align 8
  store i64 0, ptr %.1091, align 8
  call fastcc void @terms.push(ptr %.1091, ptr nonnull %arg.m.4, i64 %less.3.0.fr, i64 %.1086)
  %.1107 = load i64, ptr %.1091, align 8
  br label %B1004

B1004:                                            ; preds = %B854, %B946
  %"$phi1004.1.2.0" = phi i64 [ %.1107, %B946 ], [ %.121, %B854 ]
  store i64 %one.3.0, ptr %retptr, align 8
  %retptr.repack524 = getelementptr inbounds i8, ptr %retptr, i64 8
  store i64 %"$phi1004.1.2.0", ptr %retptr.repack524, align 8
  br label %common.ret

B0.if:                                            ; preds = %entry
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B0.endif:                                         ; preds = %entry
  %.143 = icmp sgt i64 %.121, -1
  br i1 %.143, label %B200, label %B200.thread
}

define internal fastcc noundef i32 @classes.term_of(ptr noalias nonnull writeonly %retptr, ptr readonly %arg.m.4, i64 %arg.state) unnamed_addr {
entry:
  %.26 = getelementptr i8, ptr %arg.m.4, i64 120
  %.27 = load i64, ptr %.26, align 8
  %.29 = getelementptr i8, ptr %arg.m.4, i64 136
  %.30 = load i64, ptr %.29, align 8
  %.36 = inttoptr i64 %.27 to ptr
  %.86 = icmp slt i64 %arg.state, 0
  %.87 = select i1 %.86, i64 %.30, i64 0
  %.88 = add i64 %.87, %arg.state
  %.idx = shl i64 %.88, 6
  %0 = getelementptr i8, ptr %.36, i64 %.idx
  %.112 = getelementptr i8, ptr %0, i64 40
  %.113 = load i64, ptr %.112, align 8
  %.118.not = icmp eq i64 %.113, -2
  br i1 %.118.not, label %B98, label %common.ret

common.ret:                                       ; preds = %B382, %B346.endif.endif, %entry
  %storemerge = phi i64 [ %.113, %entry ], [ -1, %B382 ], [ %.171, %B346.endif.endif ]
  store i64 %storemerge, ptr %retptr, align 8
  ret i32 0

B98:                                              ; preds = %entry
  %.66.i = getelementptr i8, ptr %arg.m.4, i64 96
  %.67.i = load i64, ptr %.66.i, align 8, !noalias !495
  %.69.i = getelementptr i8, ptr %arg.m.4, i64 112
  %.70.i = load i64, ptr %.69.i, align 8, !noalias !495
  %.76.i = inttoptr i64 %.67.i to ptr
  %.104.i = getelementptr i8, ptr %arg.m.4, i64 192
  %.105.i = load i64, ptr %.104.i, align 8, !noalias !495
  %.107.i = getelementptr i8, ptr %arg.m.4, i64 208
  %.108.i = load i64, ptr %.107.i, align 8, !noalias !495
  %.114.i = inttoptr i64 %.105.i to ptr
  %.308.i = getelementptr i8, ptr %0, i64 24
  %.309.i = load i64, ptr %.308.i, align 8, !noalias !495
  %.3926.not.i = icmp slt i64 %.309.i, 1
  br i1 %.3926.not.i, label %B382, label %B322.if.lr.ph.i

B322.if.lr.ph.i:                                  ; preds = %B98
  %.202.i = getelementptr i8, ptr %0, i64 16
  %.203.i = load i64, ptr %.202.i, align 8, !noalias !495
  %.35.i.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.74.i.i = getelementptr i8, ptr %arg.m.4, i64 48
  br label %B322.if.i

B448.i:                                           ; preds = %B420.if.i
  %.401.i = add nsw i64 %.337.07.i, -1
  %.405.i = add i64 %.334.08.i, 1
  %.708.i = icmp sgt i64 %.688.i.7, %widest.2.09.i
  br i1 %.708.i, label %B460.i, label %B530.i

B460.i:                                           ; preds = %B448.i
  %.752.i = and i64 %2, 4294967295
  %.19.not.i.i = icmp eq i64 %.752.i, 0
  br i1 %.19.not.i.i, label %B510.i, label %leaves.is_split.exit.i

leaves.is_split.exit.i:                           ; preds = %B460.i
  %.33.i.i = load i64, ptr %arg.m.4, align 8, !noalias !498
  %.36.i.i = load i64, ptr %.35.i.i, align 8, !noalias !498
  %.42.i.i = inttoptr i64 %.33.i.i to ptr
  %.75.i.i = load i64, ptr %.74.i.i, align 8, !noalias !498
  %.84.i.i = inttoptr i64 %.75.i.i to ptr
  %.164.idx.i.i = shl nuw nsw i64 %.752.i, 6
  %.164.i.i = getelementptr i8, ptr %.84.i.i, i64 %.164.idx.i.i
  %.165.i.i = load i64, ptr %.164.i.i, align 8, !noalias !498
  %.191.i.i = icmp slt i64 %.165.i.i, 0
  %.192.i.i = select i1 %.191.i.i, i64 %.36.i.i, i64 0
  %.193.i.i = add i64 %.192.i.i, %.165.i.i
  %.217.idx.i.i = shl i64 %.193.i.i, 6
  %.217.i.i = getelementptr i8, ptr %.42.i.i, i64 %.217.idx.i.i
  %.218.i.i = load i64, ptr %.217.i.i, align 8, !noalias !498
  %.219.i.not.i = icmp eq i64 %.218.i.i, 11
  br i1 %.219.i.not.i, label %B530.i, label %B510.i

B510.i:                                           ; preds = %leaves.is_split.exit.i, %B460.i
  br label %B530.i

B530.i:                                           ; preds = %B510.i, %leaves.is_split.exit.i, %B448.i
  %best.3.1.i = phi i64 [ %best.2.010.i, %leaves.is_split.exit.i ], [ %2, %B510.i ], [ %best.2.010.i, %B448.i ]
  %widest.3.1.i = phi i64 [ %widest.2.09.i, %leaves.is_split.exit.i ], [ %.688.i.7, %B510.i ], [ %widest.2.09.i, %B448.i ]
  %.392.i = icmp ugt i64 %.337.07.i, 1
  br i1 %.392.i, label %B322.if.i, label %classes.widest_leaf.exit

B322.if.i:                                        ; preds = %B530.i, %B322.if.lr.ph.i
  %best.2.010.i = phi i64 [ -1, %B322.if.lr.ph.i ], [ %best.3.1.i, %B530.i ]
  %widest.2.09.i = phi i64 [ 47, %B322.if.lr.ph.i ], [ %widest.3.1.i, %B530.i ]
  %.334.08.i = phi i64 [ %.203.i, %B322.if.lr.ph.i ], [ %.405.i, %B530.i ]
  %.337.07.i = phi i64 [ %.309.i, %B322.if.lr.ph.i ], [ %.401.i, %B530.i ]
  %.447.i = icmp slt i64 %.334.08.i, 0
  %.448.i = select i1 %.447.i, i64 %.70.i, i64 0
  %1 = getelementptr i64, ptr %.76.i, i64 %.334.08.i
  %.462.i = getelementptr i64, ptr %1, i64 %.448.i
  %.463.i = load i64, ptr %.462.i, align 8, !noalias !495
  %2 = freeze i64 %.463.i
  %.464.i = ashr i64 %2, 32
  %.483.i = icmp slt i64 %.464.i, 0
  %.484.i = select i1 %.483.i, i64 %.108.i, i64 0
  %.485.i = add i64 %.484.i, %.464.i
  %.502.i = shl i64 %.485.i, 8
  %.504.i = getelementptr i8, ptr %.114.i, i64 %.502.i
  br label %B420.if.i

B420.if.i:                                        ; preds = %B420.if.i, %B322.if.i
  %width.2.15.i = phi i64 [ 0, %B322.if.i ], [ %.688.i.7, %B420.if.i ]
  %.562.03.i = phi i64 [ 0, %B322.if.i ], [ %.631.i.7, %B420.if.i ]
  %3 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %.685.i = load i8, ptr %3, align 1, !noalias !495
  %.687.i = zext i8 %.685.i to i64
  %.688.i = add nuw nsw i64 %width.2.15.i, %.687.i
  %4 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %5 = getelementptr i8, ptr %4, i64 1
  %.685.i.1 = load i8, ptr %5, align 1, !noalias !495
  %.687.i.1 = zext i8 %.685.i.1 to i64
  %.688.i.1 = add nuw nsw i64 %.688.i, %.687.i.1
  %6 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %7 = getelementptr i8, ptr %6, i64 2
  %.685.i.2 = load i8, ptr %7, align 1, !noalias !495
  %.687.i.2 = zext i8 %.685.i.2 to i64
  %.688.i.2 = add nuw nsw i64 %.688.i.1, %.687.i.2
  %8 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %9 = getelementptr i8, ptr %8, i64 3
  %.685.i.3 = load i8, ptr %9, align 1, !noalias !495
  %.687.i.3 = zext i8 %.685.i.3 to i64
  %.688.i.3 = add nuw nsw i64 %.688.i.2, %.687.i.3
  %10 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %11 = getelementptr i8, ptr %10, i64 4
  %.685.i.4 = load i8, ptr %11, align 1, !noalias !495
  %.687.i.4 = zext i8 %.685.i.4 to i64
  %.688.i.4 = add nuw nsw i64 %.688.i.3, %.687.i.4
  %12 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %13 = getelementptr i8, ptr %12, i64 5
  %.685.i.5 = load i8, ptr %13, align 1, !noalias !495
  %.687.i.5 = zext i8 %.685.i.5 to i64
  %.688.i.5 = add nuw nsw i64 %.688.i.4, %.687.i.5
  %14 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %15 = getelementptr i8, ptr %14, i64 6
  %.685.i.6 = load i8, ptr %15, align 1, !noalias !495
  %.687.i.6 = zext i8 %.685.i.6 to i64
  %.688.i.6 = add nuw nsw i64 %.688.i.5, %.687.i.6
  %.631.i.7 = add nuw nsw i64 %.562.03.i, 8
  %16 = getelementptr i8, ptr %.504.i, i64 %.562.03.i
  %17 = getelementptr i8, ptr %16, i64 7
  %.685.i.7 = load i8, ptr %17, align 1, !noalias !495
  %.687.i.7 = zext i8 %.685.i.7 to i64
  %.688.i.7 = add nuw nsw i64 %.688.i.6, %.687.i.7
  %exitcond.not.i.7 = icmp eq i64 %.631.i.7, 256
  br i1 %exitcond.not.i.7, label %B448.i, label %B420.if.i

classes.widest_leaf.exit:                         ; preds = %B530.i
  %.168 = icmp slt i64 %best.3.1.i, 0
  %.171 = and i64 %best.3.1.i, 4294967295
  %.386.not = icmp eq i64 %.171, 0
  %or.cond = or i1 %.168, %.386.not
  br i1 %or.cond, label %B382, label %B346.endif.endif

B382:                                             ; preds = %B98, %classes.widest_leaf.exit, %B346.endif.endif
  br label %common.ret

B346.endif.endif:                                 ; preds = %classes.widest_leaf.exit
  %.198 = load i64, ptr %arg.m.4, align 8
  %.207 = inttoptr i64 %.198 to ptr
  %.240 = load i64, ptr %.74.i.i, align 8
  %.249 = inttoptr i64 %.240 to ptr
  %.327.idx = shl nuw nsw i64 %.171, 6
  %.327 = getelementptr i8, ptr %.249, i64 %.327.idx
  %.328 = load i64, ptr %.327, align 8
  %.354 = icmp slt i64 %.328, 0
  %.201 = load i64, ptr %.35.i.i, align 8
  %.355 = select i1 %.354, i64 %.201, i64 0
  %.356 = add i64 %.355, %.328
  %.380.idx = shl i64 %.356, 6
  %.380 = getelementptr i8, ptr %.207, i64 %.380.idx
  %.381 = load i64, ptr %.380, align 8
  %18 = and i64 %.381, -3
  %or.cond.i.not = icmp eq i64 %18, 4
  br i1 %or.cond.i.not, label %common.ret, label %B382
}

define internal fastcc i32 @classes.others(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state, i64 %arg.one, i64 %arg.after) unnamed_addr {
entry:
  %.106 = alloca i64, align 8
  %.149 = alloca i64, align 8
  %.811 = alloca i64, align 8
  %excinfo.6 = alloca ptr, align 8
  store ptr null, ptr %excinfo.6, align 8
  %.28 = getelementptr i8, ptr %arg.m.4, i64 120
  %.29 = load i64, ptr %.28, align 8
  %.31 = getelementptr i8, ptr %arg.m.4, i64 136
  %.32 = load i64, ptr %.31, align 8
  %.38 = inttoptr i64 %.29 to ptr
  %.70 = getelementptr i8, ptr %arg.m.4, i64 48
  %.71 = load i64, ptr %.70, align 8
  %.73 = getelementptr i8, ptr %arg.m.4, i64 64
  %.74 = load i64, ptr %.73, align 8
  %.80 = inttoptr i64 %.71 to ptr
  store i64 0, ptr %.106, align 8
  call fastcc void @terms.push(ptr %.106, ptr %arg.m.4, i64 %arg.one, i64 %arg.after)
  %.122 = load i64, ptr %.106, align 8
  %.144 = icmp eq i64 %.122, -3
  br i1 %.144, label %B264, label %B144

B144:                                             ; preds = %entry
  store i64 0, ptr %.149, align 8
  %.155 = call fastcc i32 @leaves.open_term(ptr %.149, ptr nonnull %arg.m.4, i64 %.122)
  %.157.not = icmp eq i32 %.155, 0
  br i1 %.157.not, label %B144.endif, label %B144.if, !prof !4

B194:                                             ; preds = %B144.endif
  %.205 = icmp slt i64 %arg.state, 0
  %.206 = select i1 %.205, i64 %.32, i64 0
  %.207 = add i64 %.206, %arg.state
  %.idx = shl i64 %.207, 6
  %0 = getelementptr i8, ptr %.38, i64 %.idx
  %.231 = getelementptr i8, ptr %0, i64 24
  %.232 = load i64, ptr %.231, align 8
  %.49.i = getelementptr i8, ptr %arg.m.4, i64 296
  %.50.i = load i64, ptr %.49.i, align 8, !noalias !501
  %.51.i = add nsw i64 %.50.i, %.232
  %.82.i = getelementptr i8, ptr %arg.m.4, i64 304
  %.83.i = load i64, ptr %.82.i, align 8, !noalias !501
  %.84.not.i = icmp sgt i64 %.51.i, %.83.i
  br i1 %.84.not.i, label %views.lacks.5.exit, label %B278

views.lacks.5.exit:                               ; preds = %B194
  %.122.i = getelementptr i8, ptr %arg.m.4, i64 816
  store i64 36, ptr %.122.i, align 8, !noalias !501
  br label %B264

common.ret:                                       ; preds = %B688.if, %B144.if, %B1228, %B742, %B264
  %common.ret.op = phi i32 [ 0, %B264 ], [ 0, %B742 ], [ 0, %B1228 ], [ 1, %B144.if ], [ 1, %B688.if ]
  ret i32 %common.ret.op

B264:                                             ; preds = %views.lacks.5.exit, %B144.endif, %entry
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B278:                                             ; preds = %B194
  %.290 = getelementptr i8, ptr %arg.m.4, i64 96
  %.291 = load i64, ptr %.290, align 8
  %.293 = getelementptr i8, ptr %arg.m.4, i64 112
  %.294 = load i64, ptr %.293, align 8
  %.300 = inttoptr i64 %.291 to ptr
  %.328 = getelementptr i8, ptr %arg.m.4, i64 192
  %.329 = load i64, ptr %.328, align 8
  %.331 = getelementptr i8, ptr %arg.m.4, i64 208
  %.332 = load i64, ptr %.331, align 8
  %.338 = inttoptr i64 %.329 to ptr
  %.370 = getelementptr i8, ptr %arg.m.4, i64 288
  %.371 = load i64, ptr %.370, align 8
  %.380 = inttoptr i64 %.371 to ptr
  %.408 = getelementptr i8, ptr %arg.m.4, i64 312
  %.409 = load i64, ptr %.408, align 8
  %.411 = getelementptr i8, ptr %arg.m.4, i64 328
  %.412 = load i64, ptr %.411, align 8
  %.418 = inttoptr i64 %.409 to ptr
  %.485 = icmp slt i64 %.122, 0
  %.486 = select i1 %.485, i64 %.74, i64 0
  %.487 = add i64 %.486, %.122
  %.idx13 = shl i64 %.487, 6
  %1 = getelementptr i8, ptr %.80, i64 %.idx13
  %.511 = getelementptr i8, ptr %1, i64 16
  %.512 = load i64, ptr %.511, align 8
  %.621 = getelementptr i8, ptr %1, i64 24
  %.622 = load i64, ptr %.621, align 8
  %.625 = add nsw i64 %.622, %.512
  %.646 = icmp eq i64 %.622, 1
  br i1 %.646, label %B592, label %B848.else.endif

B592:                                             ; preds = %B278
  %.669 = icmp slt i64 %.512, 0
  %.670 = select i1 %.669, i64 %.294, i64 0
  %2 = getelementptr i64, ptr %.300, i64 %.512
  %.684 = getelementptr i64, ptr %2, i64 %.670
  %.685 = load i64, ptr %.684, align 8
  %.686 = and i64 %.685, 4294967295
  %.19.not.i = icmp eq i64 %.686, 0
  br i1 %.19.not.i, label %B848.else.endif, label %leaves.is_split.exit

leaves.is_split.exit:                             ; preds = %B592
  %.33.i = load i64, ptr %arg.m.4, align 8, !noalias !504
  %.35.i = getelementptr i8, ptr %arg.m.4, i64 16
  %.36.i = load i64, ptr %.35.i, align 8, !noalias !504
  %.42.i = inttoptr i64 %.33.i to ptr
  %.75.i = load i64, ptr %.70, align 8, !noalias !504
  %.84.i = inttoptr i64 %.75.i to ptr
  %.164.idx.i = shl nuw nsw i64 %.686, 6
  %.164.i = getelementptr i8, ptr %.84.i, i64 %.164.idx.i
  %.165.i = load i64, ptr %.164.i, align 8, !noalias !504
  %.191.i = icmp slt i64 %.165.i, 0
  %.192.i = select i1 %.191.i, i64 %.36.i, i64 0
  %.193.i = add i64 %.192.i, %.165.i
  %.217.idx.i = shl i64 %.193.i, 6
  %.217.i = getelementptr i8, ptr %.42.i, i64 %.217.idx.i
  %.218.i = load i64, ptr %.217.i, align 8, !noalias !504
  %.219.i.not = icmp eq i64 %.218.i, 11
  br i1 %.219.i.not, label %B642, label %B848.else.endif

B642:                                             ; preds = %leaves.is_split.exit
  %.25.i = load i64, ptr %.28, align 8, !noalias !507
  %.28.i = load i64, ptr %.31, align 8, !noalias !507
  %.34.i = inttoptr i64 %.25.i to ptr
  %.127.i = select i1 %.205, i64 %.28.i, i64 0
  %.128.i = add i64 %.127.i, %arg.state
  %.idx.i = shl i64 %.128.i, 6
  %3 = getelementptr i8, ptr %.34.i, i64 %.idx.i
  %.258.i = getelementptr i8, ptr %3, i64 24
  %.259.i = load i64, ptr %.258.i, align 8, !noalias !507
  %.3421.not.i = icmp slt i64 %.259.i, 1
  br i1 %.3421.not.i, label %B688, label %B208.if.preheader.i

B208.if.preheader.i:                              ; preds = %B642
  %.152.i = getelementptr i8, ptr %3, i64 16
  %.153.i = load i64, ptr %.152.i, align 8, !noalias !507
  br label %B208.if.i

B238.i:                                           ; preds = %B208.if.i
  %.405.i = icmp slt i64 %.284.02.i, 0
  %.406.i = select i1 %.405.i, i64 %.294, i64 0
  %4 = getelementptr i64, ptr %.300, i64 %.284.02.i
  %.420.i = getelementptr i64, ptr %4, i64 %.406.i
  %.421.i = load i64, ptr %.420.i, align 8, !noalias !507
  %.425.i = icmp eq i64 %.421.i, %.685
  %.342.i = icmp ugt i64 %.287.03.i, 1
  br i1 %.342.i, label %B208.if.i.backedge, label %classes.has_leaf.exit

B208.if.i.backedge:                               ; preds = %B238.i, %B238.i.thread
  %found.2.04.i.be = phi i1 [ %.425.i, %B238.i ], [ true, %B238.i.thread ]
  br label %B208.if.i

B238.i.thread:                                    ; preds = %B208.if.i
  %.342.i29 = icmp ugt i64 %.287.03.i, 1
  br i1 %.342.i29, label %B208.if.i.backedge, label %B848.else.endif

B208.if.i:                                        ; preds = %B208.if.i.backedge, %B208.if.preheader.i
  %found.2.04.i = phi i1 [ false, %B208.if.preheader.i ], [ %found.2.04.i.be, %B208.if.i.backedge ]
  %.287.03.i = phi i64 [ %.259.i, %B208.if.preheader.i ], [ %.351.i, %B208.if.i.backedge ]
  %.284.02.i = phi i64 [ %.153.i, %B208.if.preheader.i ], [ %.355.i, %B208.if.i.backedge ]
  %.351.i = add nsw i64 %.287.03.i, -1
  %.355.i = add i64 %.284.02.i, 1
  br i1 %found.2.04.i, label %B238.i.thread, label %B238.i

classes.has_leaf.exit:                            ; preds = %B238.i
  br i1 %.425.i, label %B848.else.endif, label %B688

B688:                                             ; preds = %B642, %classes.has_leaf.exit
  store i64 0, ptr %.811, align 8
  %.817 = call fastcc i32 @states.state_of(ptr %.811, ptr %excinfo.6, ptr nonnull %arg.m.4, i64 %.122)
  %.819.not = icmp eq i32 %.817, 0
  %.827 = load i64, ptr %.811, align 8
  br i1 %.819.not, label %B688.endif, label %B688.if, !prof !4

B742:                                             ; preds = %B688.endif
  store i64 -3, ptr %retptr, align 8
  br label %common.ret

B756:                                             ; preds = %B688.endif
  %.892 = icmp slt i64 %.827, 0
  %.893 = select i1 %.892, i64 %.32, i64 0
  %.894 = add i64 %.893, %.827
  %.idx14 = shl i64 %.894, 6
  %5 = getelementptr i8, ptr %.38, i64 %.idx14
  %.918 = getelementptr i8, ptr %5, i64 16
  %.919 = load i64, ptr %.918, align 8
  %.1030 = getelementptr i8, ptr %5, i64 24
  %.1031 = load i64, ptr %.1030, align 8
  %.1032 = add nsw i64 %.1031, %.919
  br label %B848.else.endif

B894.loopexit:                                    ; preds = %B962.if, %vector.body
  %.1437 = add nsw i64 %.1375.021, -1
  %.1441 = add i64 %.1372.020, 1
  %.1428 = icmp sgt i64 %.1375.021, 1
  br i1 %.1428, label %B894.if, label %B1014

B1014:                                            ; preds = %B894.loopexit, %.1300.if
  %.1973 = load i64, ptr %.231, align 8
  %.205622.not = icmp slt i64 %.1973, 1
  br i1 %.205622.not, label %B1228, label %B1130.if.preheader

B1130.if.preheader:                               ; preds = %B1014
  %.1860 = getelementptr i8, ptr %0, i64 16
  %.1861 = load i64, ptr %.1860, align 8
  br label %B1130.if

B1146:                                            ; preds = %B1130.if
  %.2115 = icmp slt i64 %i.4.026, 0
  %.2116 = select i1 %.2115, i64 %.294, i64 0
  %6 = getelementptr i64, ptr %.300, i64 %i.4.026
  %.2130 = getelementptr i64, ptr %6, i64 %.2116
  %.2131 = load i64, ptr %.2130, align 8
  %.2146 = icmp slt i64 %.2000.023, 0
  %.2147 = select i1 %.2146, i64 %.294, i64 0
  %7 = getelementptr i64, ptr %.300, i64 %.2000.023
  %.2161 = getelementptr i64, ptr %7, i64 %.2147
  %.2162 = load i64, ptr %.2161, align 8
  %.2163 = icmp eq i64 %.2131, %.2162
  br i1 %.2163, label %B1182, label %B1194

B1182:                                            ; preds = %B1146
  %.2174 = add nsw i64 %i.4.026, 1
  br label %B1283

B1194:                                            ; preds = %B1130.if, %B1146
  %.2200 = icmp slt i64 %.2000.023, 0
  %.2201 = select i1 %.2200, i64 %.294, i64 0
  %8 = getelementptr i64, ptr %.300, i64 %.2000.023
  %.2215 = getelementptr i64, ptr %8, i64 %.2201
  %.2216 = load i64, ptr %.2215, align 8
  %.2233 = icmp slt i64 %n.2.025, 0
  %.2234 = select i1 %.2233, i64 %.83.i, i64 0
  %9 = getelementptr i64, ptr %.380, i64 %n.2.025
  %.2248 = getelementptr i64, ptr %9, i64 %.2234
  store i64 %.2216, ptr %.2248, align 8
  %.2251 = add nsw i64 %n.2.025, 1
  br label %B1283

B1228:                                            ; preds = %B1283, %B1014
  %n.2.0.lcssa = phi i64 [ 0, %B1014 ], [ %n.3.1, %B1283 ]
  %i.4.0.lcssa = phi i64 [ %i.3.0, %B1014 ], [ %i.5.1, %B1283 ]
  %.2267 = icmp eq i64 %i.4.0.lcssa, %stop.2.0
  %n.2.0. = select i1 %.2267, i64 %n.2.0.lcssa, i64 -1
  store i64 %n.2.0., ptr %retptr, align 8
  br label %common.ret

B1283:                                            ; preds = %B1194, %B1182
  %n.3.1 = phi i64 [ %n.2.025, %B1182 ], [ %.2251, %B1194 ]
  %i.5.1 = phi i64 [ %.2174, %B1182 ], [ %i.4.026, %B1194 ]
  %.2056 = icmp ugt i64 %.2003.024, 1
  br i1 %.2056, label %B1130.if, label %B1228

B144.if:                                          ; preds = %B144
  store ptr null, ptr %excinfo, align 8
  br label %common.ret

B144.endif:                                       ; preds = %B144
  %.165 = load i64, ptr %.149, align 8
  %.175 = icmp eq i64 %.165, -3
  br i1 %.175, label %B264, label %B194

B688.if:                                          ; preds = %B688
  %.818 = load ptr, ptr %excinfo.6, align 8
  store ptr %.818, ptr %excinfo, align 8
  br label %common.ret

B688.endif:                                       ; preds = %B688
  %.845 = icmp eq i64 %.827, -3
  br i1 %.845, label %B742, label %B756

B848.else.endif:                                  ; preds = %B238.i.thread, %B592, %classes.has_leaf.exit, %leaves.is_split.exit, %B756, %B278
  %stop.2.0 = phi i64 [ %.625, %classes.has_leaf.exit ], [ %.1032, %B756 ], [ %.625, %leaves.is_split.exit ], [ %.625, %B278 ], [ %.625, %B592 ], [ %.625, %B238.i.thread ]
  %i.3.0 = phi i64 [ %.512, %classes.has_leaf.exit ], [ %.919, %B756 ], [ %.512, %leaves.is_split.exit ], [ %.512, %B278 ], [ %.512, %B592 ], [ %.512, %B238.i.thread ]
  %.1234 = icmp slt i64 %.412, 1
  br i1 %.1234, label %.1300.if, label %B848.endif.else.endif.endif.endif, !prof !26

B848.endif.endif:                                 ; preds = %B848.endif.else.endif.endif.endif
  br label %.1300.endif.preheader

.1300.endif.preheader:                            ; preds = %B848.endif.else.endif.endif.endif, %B848.endif.endif
  %.1209.sroa.13.036 = phi i64 [ %.412, %B848.endif.endif ], [ 256, %B848.endif.else.endif.endif.endif ]
  tail call void @llvm.memset.p0.i64(ptr align 1 %.418, i8 0, i64 %.1209.sroa.13.036, i1 false)
  br label %.1300.if

B848.endif.else.endif.endif.endif:                ; preds = %B848.else.endif
  %.1251 = icmp ult i64 %.412, 257
  br i1 %.1251, label %B848.endif.endif, label %.1300.endif.preheader, !prof !56

.1300.if:                                         ; preds = %B848.else.endif, %.1300.endif.preheader
  %.1385 = sub i64 %stop.2.0, %i.3.0
  %.142819.not = icmp slt i64 %.1385, 1
  br i1 %.142819.not, label %B1014, label %B894.if.preheader

B894.if.preheader:                                ; preds = %.1300.if
  %scevgep = getelementptr i8, ptr %.418, i64 256
  %scevgep1 = getelementptr i8, ptr %.338, i64 256
  %10 = getelementptr i8, ptr %.418, i64 16
  %11 = getelementptr i8, ptr %.418, i64 32
  %12 = getelementptr i8, ptr %.418, i64 48
  %13 = getelementptr i8, ptr %.418, i64 64
  %14 = getelementptr i8, ptr %.418, i64 80
  %15 = getelementptr i8, ptr %.418, i64 96
  %16 = getelementptr i8, ptr %.418, i64 112
  %17 = getelementptr i8, ptr %.418, i64 128
  %18 = getelementptr i8, ptr %.418, i64 144
  %19 = getelementptr i8, ptr %.418, i64 160
  %20 = getelementptr i8, ptr %.418, i64 176
  %21 = getelementptr i8, ptr %.418, i64 192
  %22 = getelementptr i8, ptr %.418, i64 208
  %23 = getelementptr i8, ptr %.418, i64 224
  %24 = getelementptr i8, ptr %.418, i64 240
  br label %B894.if

B894.if:                                          ; preds = %B894.if.preheader, %B894.loopexit
  %.1375.021 = phi i64 [ %.1437, %B894.loopexit ], [ %.1385, %B894.if.preheader ]
  %.1372.020 = phi i64 [ %.1441, %B894.loopexit ], [ %i.3.0, %B894.if.preheader ]
  %.1479 = icmp slt i64 %.1372.020, 0
  %.1480 = select i1 %.1479, i64 %.294, i64 0
  %25 = getelementptr i64, ptr %.300, i64 %.1372.020
  %.1494 = getelementptr i64, ptr %25, i64 %.1480
  %.1495 = load i64, ptr %.1494, align 8
  %.1496 = ashr i64 %.1495, 32
  %.1515 = icmp slt i64 %.1496, 0
  %.1516 = select i1 %.1515, i64 %.332, i64 0
  %.1517 = add i64 %.1516, %.1496
  %.1534 = shl i64 %.1517, 8
  %.1536 = getelementptr i8, ptr %.338, i64 %.1534
  %scevgep2 = getelementptr i8, ptr %scevgep1, i64 %.1534
  %bound0 = icmp ugt ptr %scevgep2, %.418
  %bound1 = icmp ult ptr %.1536, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %B962.if, label %vector.body

vector.body:                                      ; preds = %B894.if
  %wide.load = load <16 x i8>, ptr %.418, align 1, !alias.scope !510, !noalias !513
  %wide.load3 = load <16 x i8>, ptr %10, align 1, !alias.scope !510, !noalias !513
  %26 = getelementptr i8, ptr %.1536, i64 16
  %wide.load4 = load <16 x i8>, ptr %.1536, align 1, !alias.scope !513
  %wide.load5 = load <16 x i8>, ptr %26, align 1, !alias.scope !513
  %27 = or <16 x i8> %wide.load4, %wide.load
  %28 = or <16 x i8> %wide.load5, %wide.load3
  store <16 x i8> %27, ptr %.418, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %28, ptr %10, align 1, !alias.scope !510, !noalias !513
  %wide.load.1 = load <16 x i8>, ptr %11, align 1, !alias.scope !510, !noalias !513
  %wide.load3.1 = load <16 x i8>, ptr %12, align 1, !alias.scope !510, !noalias !513
  %29 = getelementptr i8, ptr %.1536, i64 32
  %30 = getelementptr i8, ptr %.1536, i64 48
  %wide.load4.1 = load <16 x i8>, ptr %29, align 1, !alias.scope !513
  %wide.load5.1 = load <16 x i8>, ptr %30, align 1, !alias.scope !513
  %31 = or <16 x i8> %wide.load4.1, %wide.load.1
  %32 = or <16 x i8> %wide.load5.1, %wide.load3.1
  store <16 x i8> %31, ptr %11, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %32, ptr %12, align 1, !alias.scope !510, !noalias !513
  %wide.load.2 = load <16 x i8>, ptr %13, align 1, !alias.scope !510, !noalias !513
  %wide.load3.2 = load <16 x i8>, ptr %14, align 1, !alias.scope !510, !noalias !513
  %33 = getelementptr i8, ptr %.1536, i64 64
  %34 = getelementptr i8, ptr %.1536, i64 80
  %wide.load4.2 = load <16 x i8>, ptr %33, align 1, !alias.scope !513
  %wide.load5.2 = load <16 x i8>, ptr %34, align 1, !alias.scope !513
  %35 = or <16 x i8> %wide.load4.2, %wide.load.2
  %36 = or <16 x i8> %wide.load5.2, %wide.load3.2
  store <16 x i8> %35, ptr %13, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %36, ptr %14, align 1, !alias.scope !510, !noalias !513
  %wide.load.3 = load <16 x i8>, ptr %15, align 1, !alias.scope !510, !noalias !513
  %wide.load3.3 = load <16 x i8>, ptr %16, align 1, !alias.scope !510, !noalias !513
  %37 = getelementptr i8, ptr %.1536, i64 96
  %38 = getelementptr i8, ptr %.1536, i64 112
  %wide.load4.3 = load <16 x i8>, ptr %37, align 1, !alias.scope !513
  %wide.load5.3 = load <16 x i8>, ptr %38, align 1, !alias.scope !513
  %39 = or <16 x i8> %wide.load4.3, %wide.load.3
  %40 = or <16 x i8> %wide.load5.3, %wide.load3.3
  store <16 x i8> %39, ptr %15, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %40, ptr %16, align 1, !alias.scope !510, !noalias !513
  %wide.load.4 = load <16 x i8>, ptr %17, align 1, !alias.scope !510, !noalias !513
  %wide.load3.4 = load <16 x i8>, ptr %18, align 1, !alias.scope !510, !noalias !513
  %41 = getelementptr i8, ptr %.1536, i64 128
  %42 = getelementptr i8, ptr %.1536, i64 144
  %wide.load4.4 = load <16 x i8>, ptr %41, align 1, !alias.scope !513
  %wide.load5.4 = load <16 x i8>, ptr %42, align 1, !alias.scope !513
  %43 = or <16 x i8> %wide.load4.4, %wide.load.4
  %44 = or <16 x i8> %wide.load5.4, %wide.load3.4
  store <16 x i8> %43, ptr %17, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %44, ptr %18, align 1, !alias.scope !510, !noalias !513
  %wide.load.5 = load <16 x i8>, ptr %19, align 1, !alias.scope !510, !noalias !513
  %wide.load3.5 = load <16 x i8>, ptr %20, align 1, !alias.scope !510, !noalias !513
  %45 = getelementptr i8, ptr %.1536, i64 160
  %46 = getelementptr i8, ptr %.1536, i64 176
  %wide.load4.5 = load <16 x i8>, ptr %45, align 1, !alias.scope !513
  %wide.load5.5 = load <16 x i8>, ptr %46, align 1, !alias.scope !513
  %47 = or <16 x i8> %wide.load4.5, %wide.load.5
  %48 = or <16 x i8> %wide.load5.5, %wide.load3.5
  store <16 x i8> %47, ptr %19, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %48, ptr %20, align 1, !alias.scope !510, !noalias !513
  %wide.load.6 = load <16 x i8>, ptr %21, align 1, !alias.scope !510, !noalias !513
  %wide.load3.6 = load <16 x i8>, ptr %22, align 1, !alias.scope !510, !noalias !513
  %49 = getelementptr i8, ptr %.1536, i64 192
  %50 = getelementptr i8, ptr %.1536, i64 208
  %wide.load4.6 = load <16 x i8>, ptr %49, align 1, !alias.scope !513
  %wide.load5.6 = load <16 x i8>, ptr %50, align 1, !alias.scope !513
  %51 = or <16 x i8> %wide.load4.6, %wide.load.6
  %52 = or <16 x i8> %wide.load5.6, %wide.load3.6
  store <16 x i8> %51, ptr %21, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %52, ptr %22, align 1, !alias.scope !510, !noalias !513
  %wide.load.7 = load <16 x i8>, ptr %23, align 1, !alias.scope !510, !noalias !513
  %wide.load3.7 = load <16 x i8>, ptr %24, align 1, !alias.scope !510, !noalias !513
  %53 = getelementptr i8, ptr %.1536, i64 224
  %54 = getelementptr i8, ptr %.1536, i64 240
  %wide.load4.7 = load <16 x i8>, ptr %53, align 1, !alias.scope !513
  %wide.load5.7 = load <16 x i8>, ptr %54, align 1, !alias.scope !513
  %55 = or <16 x i8> %wide.load4.7, %wide.load.7
  %56 = or <16 x i8> %wide.load5.7, %wide.load3.7
  store <16 x i8> %55, ptr %23, align 1, !alias.scope !510, !noalias !513
  store <16 x i8> %56, ptr %24, align 1, !alias.scope !510, !noalias !513
  br label %B894.loopexit

B962.if:                                          ; preds = %B894.if, %B962.if
  %.1591.017 = phi i64 [ %.1660.3, %B962.if ], [ 0, %B894.if ]
  %.1660 = or i64 %.1591.017, 1
  %57 = getelementptr i8, ptr %.418, i64 %.1591.017
  %.1714 = load i8, ptr %57, align 1
  %.1743 = getelementptr i8, ptr %.1536, i64 %.1591.017
  %.1744 = load i8, ptr %.1743, align 1
  %.1747949 = or i8 %.1744, %.1714
  store i8 %.1747949, ptr %57, align 1
  %.1660.1 = or i64 %.1591.017, 2
  %58 = getelementptr i8, ptr %.418, i64 %.1660
  %.1714.1 = load i8, ptr %58, align 1
  %.1743.1 = getelementptr i8, ptr %.1536, i64 %.1660
  %.1744.1 = load i8, ptr %.1743.1, align 1
  %.1747949.1 = or i8 %.1744.1, %.1714.1
  store i8 %.1747949.1, ptr %58, align 1
  %.1660.2 = or i64 %.1591.017, 3
  %59 = getelementptr i8, ptr %.418, i64 %.1660.1
  %.1714.2 = load i8, ptr %59, align 1
  %.1743.2 = getelementptr i8, ptr %.1536, i64 %.1660.1
  %.1744.2 = load i8, ptr %.1743.2, align 1
  %.1747949.2 = or i8 %.1744.2, %.1714.2
  store i8 %.1747949.2, ptr %59, align 1
  %.1660.3 = add nuw nsw i64 %.1591.017, 4
  %60 = getelementptr i8, ptr %.418, i64 %.1660.2
  %.1714.3 = load i8, ptr %60, align 1
  %.1743.3 = getelementptr i8, ptr %.1536, i64 %.1660.2
  %.1744.3 = load i8, ptr %.1743.3, align 1
  %.1747949.3 = or i8 %.1744.3, %.1714.3
  store i8 %.1747949.3, ptr %60, align 1
  %exitcond.not.3 = icmp eq i64 %.1660.3, 256
  br i1 %exitcond.not.3, label %B894.loopexit, label %B962.if, !llvm.loop !515

B1130.if:                                         ; preds = %B1130.if.preheader, %B1283
  %i.4.026 = phi i64 [ %i.5.1, %B1283 ], [ %i.3.0, %B1130.if.preheader ]
  %n.2.025 = phi i64 [ %n.3.1, %B1283 ], [ 0, %B1130.if.preheader ]
  %.2003.024 = phi i64 [ %.2065, %B1283 ], [ %.1973, %B1130.if.preheader ]
  %.2000.023 = phi i64 [ %.2069, %B1283 ], [ %.1861, %B1130.if.preheader ]
  %.2065 = add nsw i64 %.2003.024, -1
  %.2069 = add i64 %.2000.023, 1
  %.2099 = icmp slt i64 %i.4.026, %stop.2.0
  br i1 %.2099, label %B1146, label %B1194
}

define internal fastcc void @states.free_slot(ptr noalias nonnull writeonly %retptr, ptr readonly %arg.slots.4, i64 %arg.slots.5.0, i64 %arg.near, i64 %arg.h, i64 %arg.room) unnamed_addr {
entry:
  %.52.i = add nsw i64 %arg.room, -1
  %.55.i = and i64 %.52.i, %arg.near
  %.73 = icmp slt i64 %.55.i, 0
  %.74 = select i1 %.73, i64 %arg.slots.5.0, i64 0
  %0 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i
  %.88 = getelementptr i32, ptr %0, i64 %.74
  %.89 = load i32, ptr %.88, align 4
  %.91.not = icmp eq i32 %.89, 0
  br i1 %.91.not, label %terms.slot_of.exit64, label %B90.preheader

B90.preheader:                                    ; preds = %entry
  %.25.i = lshr i64 %arg.h, 32
  %.27.i = and i64 %arg.h, 268435454
  %.30.i = or i64 %.27.i, 1
  %.46.i.peel = add nsw i64 %arg.near, 1
  %.55.i52.peel = and i64 %.46.i.peel, %.52.i
  %.140.peel = icmp slt i64 %.55.i52.peel, 0
  %.141.peel = select i1 %.140.peel, i64 %arg.slots.5.0, i64 0
  %1 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel
  %.155.peel = getelementptr i32, ptr %1, i64 %.141.peel
  %.156.peel = load i32, ptr %.155.peel, align 4
  %.158.not.peel = icmp eq i32 %.156.peel, 0
  br i1 %.158.not.peel, label %terms.slot_of.exit64, label %B90.peel.next

B90.peel.next:                                    ; preds = %B90.preheader
  %.46.i.peel11 = add nsw i64 %arg.near, 2
  %.55.i52.peel12 = and i64 %.46.i.peel11, %.52.i
  %.140.peel13 = icmp slt i64 %.55.i52.peel12, 0
  %.141.peel14 = select i1 %.140.peel13, i64 %arg.slots.5.0, i64 0
  %2 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel12
  %.155.peel15 = getelementptr i32, ptr %2, i64 %.141.peel14
  %.156.peel16 = load i32, ptr %.155.peel15, align 4
  %.158.not.peel17 = icmp eq i32 %.156.peel16, 0
  br i1 %.158.not.peel17, label %terms.slot_of.exit64, label %B90.peel.next4

B90.peel.next4:                                   ; preds = %B90.peel.next
  %.46.i.peel25 = add nsw i64 %arg.near, 3
  %.55.i52.peel26 = and i64 %.46.i.peel25, %.52.i
  %.140.peel27 = icmp slt i64 %.55.i52.peel26, 0
  %.141.peel28 = select i1 %.140.peel27, i64 %arg.slots.5.0, i64 0
  %3 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel26
  %.155.peel29 = getelementptr i32, ptr %3, i64 %.141.peel28
  %.156.peel30 = load i32, ptr %.155.peel29, align 4
  %.158.not.peel31 = icmp eq i32 %.156.peel30, 0
  br i1 %.158.not.peel31, label %terms.slot_of.exit64, label %B90.peel.next18

B90.peel.next18:                                  ; preds = %B90.peel.next4
  %.46.i.peel39 = add nsw i64 %arg.near, 4
  %.55.i52.peel40 = and i64 %.46.i.peel39, %.52.i
  %.140.peel41 = icmp slt i64 %.55.i52.peel40, 0
  %.141.peel42 = select i1 %.140.peel41, i64 %arg.slots.5.0, i64 0
  %4 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel40
  %.155.peel43 = getelementptr i32, ptr %4, i64 %.141.peel42
  %.156.peel44 = load i32, ptr %.155.peel43, align 4
  %.158.not.peel45 = icmp eq i32 %.156.peel44, 0
  br i1 %.158.not.peel45, label %terms.slot_of.exit64, label %B90.peel.next32

B90.peel.next32:                                  ; preds = %B90.peel.next18
  %.46.i.peel53 = add nsw i64 %arg.near, 5
  %.55.i52.peel54 = and i64 %.46.i.peel53, %.52.i
  %.140.peel55 = icmp slt i64 %.55.i52.peel54, 0
  %.141.peel56 = select i1 %.140.peel55, i64 %arg.slots.5.0, i64 0
  %5 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel54
  %.155.peel57 = getelementptr i32, ptr %5, i64 %.141.peel56
  %.156.peel58 = load i32, ptr %.155.peel57, align 4
  %.158.not.peel59 = icmp eq i32 %.156.peel58, 0
  br i1 %.158.not.peel59, label %terms.slot_of.exit64, label %B90.peel.next46

B90.peel.next46:                                  ; preds = %B90.peel.next32
  %.46.i.peel67 = add nsw i64 %arg.near, 6
  %.55.i52.peel68 = and i64 %.46.i.peel67, %.52.i
  %.140.peel69 = icmp slt i64 %.55.i52.peel68, 0
  %.141.peel70 = select i1 %.140.peel69, i64 %arg.slots.5.0, i64 0
  %6 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel68
  %.155.peel71 = getelementptr i32, ptr %6, i64 %.141.peel70
  %.156.peel72 = load i32, ptr %.155.peel71, align 4
  %.158.not.peel73 = icmp eq i32 %.156.peel72, 0
  br i1 %.158.not.peel73, label %terms.slot_of.exit64, label %B90.peel.next60

B90.peel.next60:                                  ; preds = %B90.peel.next46
  %.46.i.peel81 = add nsw i64 %arg.near, 7
  %.55.i52.peel82 = and i64 %.46.i.peel81, %.52.i
  %.140.peel83 = icmp slt i64 %.55.i52.peel82, 0
  %.141.peel84 = select i1 %.140.peel83, i64 %arg.slots.5.0, i64 0
  %7 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52.peel82
  %.155.peel85 = getelementptr i32, ptr %7, i64 %.141.peel84
  %.156.peel86 = load i32, ptr %.155.peel85, align 4
  %.158.not.peel87 = icmp eq i32 %.156.peel86, 0
  br i1 %.158.not.peel87, label %terms.slot_of.exit64, label %B90

B90:                                              ; preds = %B90.peel.next60, %B90
  %i.2.0 = phi i64 [ %.94, %B90 ], [ 7, %B90.peel.next60 ]
  %.94 = add nuw nsw i64 %i.2.0, 1
  %spec.select3 = mul nuw nsw i64 %.94, %.30.i
  %.46.i = add nuw nsw i64 %spec.select3, %.25.i
  %.55.i52 = and i64 %.46.i, %.52.i
  %8 = getelementptr i32, ptr %arg.slots.4, i64 %.55.i52
  %.156 = load i32, ptr %8, align 4
  %.158.not = icmp eq i32 %.156, 0
  br i1 %.158.not, label %B156, label %B90, !llvm.loop !516

B156:                                             ; preds = %B90
  %9 = icmp ugt i64 %i.2.0, 6
  %spec.select = select i1 %9, i64 %.25.i, i64 %arg.near
  %.32.i63 = select i1 %9, i64 %.30.i, i64 1
  %spec.select91 = mul nuw nsw i64 %.94, %.32.i63
  br label %terms.slot_of.exit64

terms.slot_of.exit64:                             ; preds = %B156, %B90.peel.next46, %B90.peel.next32, %B90.peel.next18, %B90.peel.next4, %B90.peel.next, %B90.preheader, %B90.peel.next60, %entry
  %near.2.0.i54 = phi i64 [ %arg.near, %B90.peel.next46 ], [ %spec.select, %B156 ], [ %arg.near, %entry ], [ %arg.near, %B90.peel.next60 ], [ %arg.near, %B90.preheader ], [ %arg.near, %B90.peel.next ], [ %arg.near, %B90.peel.next4 ], [ %arg.near, %B90.peel.next18 ], [ %arg.near, %B90.peel.next32 ]
  %i.2.0.i55 = phi i64 [ 6, %B90.peel.next46 ], [ %spec.select91, %B156 ], [ 0, %entry ], [ 7, %B90.peel.next60 ], [ 1, %B90.preheader ], [ 2, %B90.peel.next ], [ 3, %B90.peel.next4 ], [ 4, %B90.peel.next18 ], [ 5, %B90.peel.next32 ]
  %.46.i56 = add nsw i64 %i.2.0.i55, %near.2.0.i54
  %.55.i58 = and i64 %.46.i56, %.52.i
  store i64 %.55.i58, ptr %retptr, align 8
  ret void
}

define internal fastcc i32 @tokens.advanced(ptr noalias nonnull writeonly %retptr, ptr noalias nonnull writeonly %excinfo, ptr %arg.m.4, i64 %arg.state, i64 %arg.token, i64 %arg.active, i64 %arg.sure) unnamed_addr {
entry:
  %.1442 = alloca i64, align 8
  %excinfo.3 = alloca ptr, align 8
  store ptr null, ptr %excinfo.3, align 8
  %.33 = getelementptr i8, ptr %arg.m.4, i64 120
  %.34 = load i64, ptr %.33, align 8
  %.43 = inttoptr i64 %.34 to ptr
  %.75 = getelementptr i8, ptr %arg.m.4, i64 96
  %.76 = load i64, ptr %.75, align 8
  %.78 = getelementptr i8, ptr %arg.m.4, i64 112
  %.79 = load i64, ptr %.78, align 8
  %.85 = inttoptr i64 %.76 to ptr
  %.113 = getelementptr i8, ptr %arg.m.4, i64 192
  %.114 = load i64, ptr %.113, align 8
  %.116 = getelementptr i8, ptr %arg.m.4, i64 208
  %.117 = load i64, ptr %.116, align 8
  %.123 = inttoptr i64 %.114 to ptr
  %.164 = getelementptr i8, ptr %arg.m.4, i64 576
  %.165 = load i64, ptr %.164, align 8
  %.174 = inttoptr i64 %.165 to ptr
  %.202 = getelementptr i8, ptr %arg.m.4, i64 552
  %.203 = load i64, ptr %.202, align 8
  %.205 = getelementptr i8, ptr %arg.m.4, i64 568
  %.206 = load i64, ptr %.205, align 8
  %.212 = inttoptr i64 %.203 to ptr
  %.240 = getelementptr i8, ptr %arg.m.4, i64 216
  %.241 = load i64, ptr %.240, align 8
  %.250 = inttoptr i64 %.241 to ptr
  %.303 = getelementptr i32, ptr %.174, i64 %arg.token
  %.304 = load i32, ptr %.303, align 4
  %.334 = getelementptr i8, ptr %.303, i64 4
  %.335 = load i32, ptr %.334, align 4
  %.351 = icmp eq i32 %.304, %.335
  br i1 %.351, label %B392, label %B406

common.ret:                                       ; preds = %B1138.if, %B1266, %B1184, %B1008, %B892, %B392
  %common.ret.op = phi i32 [ 0, %B392 ], [ 0, %B892 ], [ 0, %B1008 ], [ 0, %B1184 ], [ 0, %B1266 ], [ 1, %B1138.if ]
  ret i32 %common.ret.op

B392:                                             ; preds = %entry
  store i64 -1, ptr %retptr, align 8
  br label %common.ret

B406:                                             ; preds = %entry
  %.305 = sext i32 %.304 to i64
  %.336 = sext i32 %.335 to i64
  %.445 = sub nsw i64 %.336, %.305
  %spec.select = tail call i64 @llvm.smax.i64(i64 %.445, i64 0)
  %.1398.not = icmp eq i64 %arg.sure, 0
  %.388.i = getelementptr i8, ptr %arg.m.4, i64 168
  br label %B438

B438:                                             ; preds = %B406, %B1170
  %.435.0 = phi i64 [ %spec.select, %B406 ], [ %.500, %B1170 ]
  %.432.0 = phi i64 [ %.305, %B406 ], [ %.504, %B1170 ]
  %state.2.0 = phi i64 [ %arg.state, %B406 ], [ %"$phi1170.1.2.1.in.sroa.speculated", %B1170 ]
  %active.2.0 = phi i64 [ %arg.active, %B406 ], [ %active.3.2, %B1170 ]
  %touched.2.0 = phi i1 [ false, %B406 ], [ %touched.3.2, %B1170 ]
  %begun.2.0 = phi i64 [ 0, %B406 ], [ %begun.3.2, %B1170 ]
  %.491 = icmp sgt i64 %.435.0, 0
  br i1 %.491, label %B440.if, label %B1266

B490:                                             ; preds = %B440.if
  %0 = getelementptr i8, ptr %.43, i64 %.idx
  %.635 = getelementptr i8, ptr %0, i64 32
  %.636 = load i64, ptr %.635, align 8
  %.637 = and i64 %.636, 2
  %.638.not = icmp eq i64 %.637, 0
  br i1 %.638.not, label %B1100, label %B538

B538:                                             ; preds = %B440.if, %B490
  %1 = getelementptr i8, ptr %.43, i64 %.idx
  %.818 = getelementptr i8, ptr %1, i64 24
  %.819 = load i64, ptr %.818, align 8
  %invariant.gep = getelementptr i8, ptr %.123, i64 %.563
  %.90025.not = icmp slt i64 %.819, 1
  br i1 %.90025.not, label %B892, label %B718.if.preheader

B718.if.preheader:                                ; preds = %B538
  %.708 = getelementptr i8, ptr %1, i64 16
  %.709 = load i64, ptr %.708, align 8
  br label %B718.if

B760:                                             ; preds = %B718.if
  %.1085 = and i64 %.985, 4294967295
  %.1090.not = icmp eq i64 %.1085, 0
  br i1 %.1090.not, label %B886, label %B808

B808:                                             ; preds = %B760
  %.1126 = getelementptr i64, ptr %.250, i64 %.1085
  %.1127 = load i64, ptr %.1126, align 8
  %.1128 = and i64 %.1127, 4294967295
  %.11.i = tail call i64 @llvm.smax.i64(i64 %.1128, i64 %marks.2.230)
  %.1193 = ashr i64 %.1127, 32
  %.1195 = or i64 %.1193, %pending.2.229
  br label %B886

B886:                                             ; preds = %B808, %B760, %B718.if
  %found.3.3 = phi i1 [ true, %B808 ], [ true, %B760 ], [ %found.2.228, %B718.if ]
  %pending.3.3 = phi i64 [ %.1195, %B808 ], [ %pending.2.229, %B760 ], [ %pending.2.229, %B718.if ]
  %marks.3.3 = phi i64 [ %.11.i, %B808 ], [ %marks.2.230, %B760 ], [ %marks.2.230, %B718.if ]
  %.900 = icmp ugt i64 %.847.027, 1
  br i1 %.900, label %B718.if, label %B888

B888:                                             ; preds = %B886
  br i1 %found.3.3, label %B980, label %B892

B892:                                             ; preds = %B538, %B888
  %. = select i1 %touched.2.0, i64 -6, i64 -1
  store i64 %., ptr %retptr, align 8
  br label %common.ret

B980:                                             ; preds = %B888
  %.1282 = icmp sgt i64 %marks.3.3, 1
  br i1 %.1282, label %B1008, label %B992

B992:                                             ; preds = %B980
  %.1286 = icmp slt i64 %marks.3.3, %active.2.0
  %.1289 = icmp ne i64 %pending.3.3, 0
  %or.cond = select i1 %.1286, i1 %.1289, i1 false
  br i1 %or.cond, label %B1008, label %B1052

B1008:                                            ; preds = %B992, %B980
  store i64 -6, ptr %retptr, align 8
  br label %common.ret

B1052:                                            ; preds = %B992
  %.1335 = icmp sgt i64 %marks.3.3, %active.2.0
  %reass.sub = sub nsw i64 %.432.0, %.305
  %.1344 = add nuw nsw i64 %reass.sub, 1
  %begun.4.2 = select i1 %.1335, i64 %.1344, i64 %begun.2.0
  %.1365 = icmp sgt i64 %pending.3.3, 0
  %"$phi1098.1.2.2" = select i1 %touched.2.0, i1 true, i1 %.1365
  br label %B1100

B1100:                                            ; preds = %B1052, %B490
  %active.3.2 = phi i64 [ %marks.3.3, %B1052 ], [ 0, %B490 ]
  %touched.3.2 = phi i1 [ %"$phi1098.1.2.2", %B1052 ], [ %touched.2.0, %B490 ]
  %begun.3.2 = phi i64 [ %begun.4.2, %B1052 ], [ %begun.2.0, %B490 ]
  br i1 %.1398.not, label %B1138, label %B1104

B1104:                                            ; preds = %B1100
  %.30.i = load i64, ptr %.33, align 8, !noalias !517
  %.39.i = inttoptr i64 %.30.i to ptr
  %.idx1.i = shl i64 %state.2.0, 6
  %2 = getelementptr i8, ptr %.39.i, i64 %.idx1.i
  %.119.i = getelementptr i8, ptr %2, i64 24
  %.120.i = load i64, ptr %.119.i, align 8, !noalias !517
  %.175.i = load i64, ptr %2, align 8, !noalias !517
  %.183.i = icmp eq i64 %.120.i, 1
  br i1 %.183.i, label %B118.i, label %B246.i

B118.i:                                           ; preds = %B1104
  %.196.i = load i64, ptr %.113, align 8, !noalias !517
  %.199.i = load i64, ptr %.116, align 8, !noalias !517
  %.205.i = inttoptr i64 %.196.i to ptr
  %.258.i = icmp slt i64 %.175.i, 0
  %.259.i = select i1 %.258.i, i64 %.199.i, i64 0
  %.260.i = add i64 %.259.i, %.175.i
  %.280.i = shl i64 %.260.i, 8
  %3 = getelementptr i8, ptr %.205.i, i64 %.280.i
  %4 = getelementptr i8, ptr %3, i64 %.563
  %.285.i = load i8, ptr %4, align 1, !noalias !517
  %.286.not.i = icmp eq i8 %.285.i, 0
  br i1 %.286.not.i, label %B1184, label %B176.i

B176.i:                                           ; preds = %B118.i
  %.343.i = getelementptr i8, ptr %2, i64 8
  %.344.i = load i64, ptr %.343.i, align 8, !noalias !517
  br label %B1170

B246.i:                                           ; preds = %B1104
  %.368.i = icmp slt i64 %.175.i, 0
  br i1 %.368.i, label %B380.i, label %B298.i

B298.i:                                           ; preds = %B246.i
  %.389.i = load i64, ptr %.388.i, align 8, !noalias !517
  %.398.i = inttoptr i64 %.389.i to ptr
  %.idx.i = shl i64 %.175.i, 10
  %5 = getelementptr i8, ptr %.398.i, i64 %.idx.i
  %6 = getelementptr i32, ptr %5, i64 %.563
  %.478.i = load i32, ptr %6, align 4, !noalias !517
  %7 = tail call i32 @llvm.smax.i32(i32 %.478.i, i32 -2)
  %8 = sext i32 %7 to i64
  br label %B380.i

B380.i:                                           ; preds = %B298.i, %B246.i
  %"$phi380.0.2.0.i" = phi i64 [ %8, %B298.i ], [ -2, %B246.i ]
  %.490.i = icmp eq i64 %.120.i, 0
  br i1 %.490.i, label %B1184, label %B1170

B1138:                                            ; preds = %B1100
  store i64 0, ptr %.1442, align 8
  %.1448 = call fastcc i32 @states.step(ptr %.1442, ptr %excinfo.3, ptr %arg.m.4, i64 %state.2.0, i64 %.563)
  %.1450.not = icmp eq i32 %.1448, 0
  %"$phi1170.1.2.1.in.sroa.speculate.load.B1138" = load i64, ptr %.1442, align 8
  br i1 %.1450.not, label %B1170, label %B1138.if, !prof !4

B1170:                                            ; preds = %B380.i, %B176.i, %B1138
  %"$phi1170.1.2.1.in.sroa.speculated" = phi i64 [ %"$phi1170.1.2.1.in.sroa.speculate.load.B1138", %B1138 ], [ %"$phi380.0.2.0.i", %B380.i ], [ %.344.i, %B176.i ]
  %.1482 = icmp slt i64 %"$phi1170.1.2.1.in.sroa.speculated", 0
  br i1 %.1482, label %B1184, label %B438

B1184:                                            ; preds = %B380.i, %B118.i, %B1170
  %"$phi1170.1.2.1.in.sroa.speculated5" = phi i64 [ %"$phi1170.1.2.1.in.sroa.speculated", %B1170 ], [ -1, %B118.i ], [ -1, %B380.i ]
  %.1507 = icmp eq i64 %"$phi1170.1.2.1.in.sroa.speculated5", -1
  %brmerge.not = select i1 %.1507, i1 %touched.3.2, i1 false
  %"$phi1252.1.2.0" = select i1 %brmerge.not, i64 -6, i64 %"$phi1170.1.2.1.in.sroa.speculated5"
  store i64 %"$phi1252.1.2.0", ptr %retptr, align 8
  br label %common.ret

B1266:                                            ; preds = %B438
  %.1576.not = icmp eq i64 %active.2.0, 0
  %9 = shl i64 %state.2.0, 31
  %10 = add i64 %9, %begun.2.0
  %.1588 = sub i64 -16, %10
  %"$phi1314.0.2.0" = select i1 %.1576.not, i64 %state.2.0, i64 %.1588
  store i64 %"$phi1314.0.2.0", ptr %retptr, align 8
  br label %common.ret

B440.if:                                          ; preds = %B438
  %.500 = add nsw i64 %.435.0, -1
  %.504 = add nsw i64 %.432.0, 1
  %.546 = icmp slt i64 %.432.0, 0
  %.547 = select i1 %.546, i64 %.206, i64 0
  %11 = getelementptr i8, ptr %.212, i64 %.432.0
  %.561 = getelementptr i8, ptr %11, i64 %.547
  %.562 = load i8, ptr %.561, align 1
  %.563 = zext i8 %.562 to i64
  %.568.not = icmp eq i64 %active.2.0, 0
  %.idx = shl i64 %state.2.0, 6
  br i1 %.568.not, label %B490, label %B538

B718.if:                                          ; preds = %B718.if.preheader, %B886
  %marks.2.230 = phi i64 [ %marks.3.3, %B886 ], [ 0, %B718.if.preheader ]
  %pending.2.229 = phi i64 [ %pending.3.3, %B886 ], [ 0, %B718.if.preheader ]
  %found.2.228 = phi i1 [ %found.3.3, %B886 ], [ false, %B718.if.preheader ]
  %.847.027 = phi i64 [ %.909, %B886 ], [ %.819, %B718.if.preheader ]
  %.844.026 = phi i64 [ %.913, %B886 ], [ %.709, %B718.if.preheader ]
  %.909 = add nsw i64 %.847.027, -1
  %.913 = add i64 %.844.026, 1
  %.969 = icmp slt i64 %.844.026, 0
  %.970 = select i1 %.969, i64 %.79, i64 0
  %12 = getelementptr i64, ptr %.85, i64 %.844.026
  %.984 = getelementptr i64, ptr %12, i64 %.970
  %.985 = load i64, ptr %.984, align 8
  %.986 = ashr i64 %.985, 32
  %.1010 = icmp slt i64 %.986, 0
  %.1011 = select i1 %.1010, i64 %.117, i64 0
  %.1012 = add i64 %.1011, %.986
  %.1032 = shl i64 %.1012, 8
  %gep = getelementptr i8, ptr %invariant.gep, i64 %.1032
  %.1037 = load i8, ptr %gep, align 1
  %.1038.not = icmp eq i8 %.1037, 0
  br i1 %.1038.not, label %B886, label %B760

B1138.if:                                         ; preds = %B1138
  %.1449 = load ptr, ptr %excinfo.3, align 8
  store ptr %.1449, ptr %excinfo, align 8
  br label %common.ret
}

define internal fastcc void @bits.keep_allowed(ptr noalias nonnull writeonly %retptr, i64 %arg.scores, i64 %arg.out, i64 %arg.size, i64 %arg.rows, i64 %arg.width, i64 %arg.nothing, i64 %arg.masks, i64 %arg.stride) unnamed_addr {
entry:
  %arg.width.fr.i135 = freeze i64 %arg.width
  %.1106.not = icmp slt i64 %arg.rows, 1
  br i1 %.1106.not, label %B386, label %B64.if.lr.ph

B64.if.lr.ph:                                     ; preds = %entry
  %.148 = shl i64 %arg.stride, 2
  %.221 = mul i64 %arg.width.fr.i135, %arg.size
  %.231 = icmp eq i64 %arg.size, 2
  %.44.i136 = add i64 %arg.width.fr.i135, 31
  %.52.0.i137 = ashr i64 %.44.i136, 5
  %.1732.not.i138 = icmp slt i64 %.52.0.i137, 1
  %.3416.not28.i150 = icmp slt i64 %arg.width.fr.i135, 1
  %.257.i236 = icmp ne i64 %.52.0.i137, 0
  %0 = trunc i64 %arg.nothing to i32
  %1 = trunc i64 %arg.nothing to i16
  %xtraiter = and i64 %.52.0.i137, 3
  %2 = icmp ult i64 %.52.0.i137, 4
  %unroll_iter = and i64 %.52.0.i137, 9223372036854775804
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  %lcmp.mod78 = icmp ne i64 %xtraiter, 0
  %min.iters.check44 = icmp ult i64 %arg.width.fr.i135, 8
  %n.vec60 = and i64 %arg.width.fr.i135, -8
  %broadcast.splatinsert61 = insertelement <4 x i32> poison, i32 %0, i64 0
  %broadcast.splat62 = shufflevector <4 x i32> %broadcast.splatinsert61, <4 x i32> poison, <4 x i32> zeroinitializer
  %cmp.n67 = icmp eq i64 %arg.width.fr.i135, %n.vec60
  %3 = sub i64 %arg.out, %arg.scores
  %diff.check43 = icmp ult i64 %3, 32
  %or.cond69 = select i1 %min.iters.check44, i1 true, i1 %diff.check43
  %n.vec47 = and i64 %arg.width.fr.i135, -8
  %cmp.n54 = icmp eq i64 %arg.width.fr.i135, %n.vec47
  %xtraiter79 = and i64 %arg.width.fr.i135, 3
  %lcmp.mod80.not = icmp eq i64 %xtraiter79, 0
  %xtraiter81 = and i64 %.52.0.i137, 3
  %4 = icmp ult i64 %.52.0.i137, 4
  %unroll_iter86 = and i64 %.52.0.i137, 9223372036854775804
  %lcmp.mod83.not = icmp eq i64 %xtraiter81, 0
  %lcmp.mod85 = icmp ne i64 %xtraiter81, 0
  %min.iters.check = icmp ult i64 %arg.width.fr.i135, 4
  %min.iters.check17 = icmp ult i64 %arg.width.fr.i135, 16
  %n.mod.vf20 = and i64 %arg.width.fr.i135, 12
  %n.vec21 = and i64 %arg.width.fr.i135, -16
  %broadcast.splatinsert = insertelement <8 x i16> poison, i16 %1, i64 0
  %broadcast.splat = shufflevector <8 x i16> %broadcast.splatinsert, <8 x i16> poison, <8 x i32> zeroinitializer
  %cmp.n26 = icmp eq i64 %arg.width.fr.i135, %n.vec21
  %min.epilog.iters.check30 = icmp eq i64 %n.mod.vf20, 0
  %n.vec33 = and i64 %arg.width.fr.i135, -4
  %broadcast.splatinsert34 = insertelement <4 x i16> poison, i16 %1, i64 0
  %broadcast.splat35 = shufflevector <4 x i16> %broadcast.splatinsert34, <4 x i16> poison, <4 x i32> zeroinitializer
  %cmp.n40 = icmp eq i64 %arg.width.fr.i135, %n.vec33
  %5 = sub i64 %arg.out, %arg.scores
  %diff.check = icmp ult i64 %5, 32
  %or.cond = select i1 %min.iters.check, i1 true, i1 %diff.check
  %min.iters.check6 = icmp ult i64 %arg.width.fr.i135, 16
  %n.mod.vf = and i64 %arg.width.fr.i135, 12
  %n.vec = and i64 %arg.width.fr.i135, -16
  %cmp.n = icmp eq i64 %arg.width.fr.i135, %n.vec
  %min.epilog.iters.check = icmp eq i64 %n.mod.vf, 0
  %n.vec9 = and i64 %arg.width.fr.i135, -4
  %cmp.n13 = icmp eq i64 %arg.width.fr.i135, %n.vec9
  %xtraiter88 = and i64 %arg.width.fr.i135, 3
  %lcmp.mod89.not = icmp eq i64 %xtraiter88, 0
  br label %B64.if

B158:                                             ; preds = %B64.if
  br i1 %.1732.not.i138, label %B114.i, label %B80.if.i.preheader

B80.if.i.preheader:                               ; preds = %B158
  br i1 %4, label %B80.if.i.epil.preheader, label %B80.if.i

B114.i:                                           ; preds = %B158
  br i1 %.3416.not28.i150, label %B387, label %B162.if.lr.ph.i

B114.thread.i.unr-lcssa:                          ; preds = %B80.if.i
  br i1 %lcmp.mod83.not, label %B114.thread.i, label %B80.if.i.epil.preheader

B80.if.i.epil.preheader:                          ; preds = %B114.thread.i.unr-lcssa, %B80.if.i.preheader
  %sample.2.05.i.epil.init = phi i64 [ 0, %B80.if.i.preheader ], [ %.244.i.3, %B114.thread.i.unr-lcssa ]
  %.115.03.i.epil.init = phi i64 [ 0, %B80.if.i.preheader ], [ %.186.i.3, %B114.thread.i.unr-lcssa ]
  tail call void @llvm.assume(i1 %lcmp.mod85)
  br label %B80.if.i.epil

B80.if.i.epil:                                    ; preds = %B80.if.i.epil, %B80.if.i.epil.preheader
  %sample.2.05.i.epil = phi i64 [ %.244.i.epil, %B80.if.i.epil ], [ %sample.2.05.i.epil.init, %B80.if.i.epil.preheader ]
  %.115.03.i.epil = phi i64 [ %.186.i.epil, %B80.if.i.epil ], [ %.115.03.i.epil.init, %B80.if.i.epil.preheader ]
  %epil.iter82 = phi i64 [ %epil.iter82.next, %B80.if.i.epil ], [ 0, %B80.if.i.epil.preheader ]
  %.186.i.epil = add nuw nsw i64 %.115.03.i.epil, 1
  %6 = getelementptr i32, ptr %.200, i64 %.115.03.i.epil
  %.240.i.epil = load i32, ptr %6, align 4, !noalias !520
  %.240.i.fr.epil = freeze i32 %.240.i.epil
  %7 = and i32 %.240.i.fr.epil, 1
  %.242.i.epil = zext i32 %7 to i64
  %.244.i.epil = add i64 %sample.2.05.i.epil, %.242.i.epil
  %epil.iter82.next = add i64 %epil.iter82, 1
  %epil.iter82.cmp.not = icmp eq i64 %epil.iter82.next, %xtraiter81
  br i1 %epil.iter82.cmp.not, label %B114.thread.i, label %B80.if.i.epil, !llvm.loop !523

B114.thread.i:                                    ; preds = %B80.if.i.epil, %B114.thread.i.unr-lcssa
  %.244.i.lcssa = phi i64 [ %.244.i.3, %B114.thread.i.unr-lcssa ], [ %.244.i.epil, %B80.if.i.epil ]
  %8 = shl i64 %.244.i.lcssa, 1
  %.25726.i = icmp sgt i64 %8, %.52.0.i137
  br i1 %.3416.not28.i150, label %B228.if.lr.ph.i, label %B162.if.lr.ph.i

B162.if.lr.ph.i:                                  ; preds = %B114.thread.i, %B114.i
  %.257.fr30.i = phi i1 [ %.25726.i, %B114.thread.i ], [ %.257.i236, %B114.i ]
  br i1 %.257.fr30.i, label %iter.check, label %iter.check16

iter.check16:                                     ; preds = %B162.if.lr.ph.i
  br i1 %min.iters.check, label %B162.if.i.preheader, label %vector.main.loop.iter.check18

vector.main.loop.iter.check18:                    ; preds = %iter.check16
  br i1 %min.iters.check17, label %vec.epilog.ph31, label %vector.body22

vector.body22:                                    ; preds = %vector.main.loop.iter.check18, %vector.body22
  %index23 = phi i64 [ %index.next24, %vector.body22 ], [ 0, %vector.main.loop.iter.check18 ]
  %9 = getelementptr i16, ptr %.274, i64 %index23
  %10 = getelementptr i8, ptr %9, i64 16
  store <8 x i16> %broadcast.splat, ptr %9, align 2, !noalias !520
  store <8 x i16> %broadcast.splat, ptr %10, align 2, !noalias !520
  %index.next24 = add nuw i64 %index23, 16
  %11 = icmp eq i64 %index.next24, %n.vec21
  br i1 %11, label %middle.block25, label %vector.body22, !llvm.loop !524

middle.block25:                                   ; preds = %vector.body22
  br i1 %cmp.n26, label %B228.preheader.thread.i, label %vec.epilog.iter.check29

vec.epilog.iter.check29:                          ; preds = %middle.block25
  br i1 %min.epilog.iters.check30, label %B162.if.i.preheader, label %vec.epilog.ph31, !prof !525

vec.epilog.ph31:                                  ; preds = %vector.main.loop.iter.check18, %vec.epilog.iter.check29
  %vec.epilog.resume.val27 = phi i64 [ %n.vec21, %vec.epilog.iter.check29 ], [ 0, %vector.main.loop.iter.check18 ]
  br label %vec.epilog.vector.body36

vec.epilog.vector.body36:                         ; preds = %vec.epilog.vector.body36, %vec.epilog.ph31
  %index37 = phi i64 [ %vec.epilog.resume.val27, %vec.epilog.ph31 ], [ %index.next38, %vec.epilog.vector.body36 ]
  %12 = getelementptr i16, ptr %.274, i64 %index37
  store <4 x i16> %broadcast.splat35, ptr %12, align 2, !noalias !520
  %index.next38 = add nuw i64 %index37, 4
  %13 = icmp eq i64 %index.next38, %n.vec33
  br i1 %13, label %vec.epilog.middle.block39, label %vec.epilog.vector.body36, !llvm.loop !526

vec.epilog.middle.block39:                        ; preds = %vec.epilog.vector.body36
  br i1 %cmp.n40, label %B228.preheader.thread.i, label %B162.if.i.preheader

B162.if.i.preheader:                              ; preds = %iter.check16, %vec.epilog.iter.check29, %vec.epilog.middle.block39
  %.285.07.i.ph = phi i64 [ 0, %iter.check16 ], [ %n.vec21, %vec.epilog.iter.check29 ], [ %n.vec33, %vec.epilog.middle.block39 ]
  br label %B162.if.i

iter.check:                                       ; preds = %B162.if.lr.ph.i
  br i1 %or.cond, label %B162.if.us.i.preheader, label %vector.main.loop.iter.check

vector.main.loop.iter.check:                      ; preds = %iter.check
  br i1 %min.iters.check6, label %vec.epilog.ph, label %vector.body

vector.body:                                      ; preds = %vector.main.loop.iter.check, %vector.body
  %index = phi i64 [ %index.next, %vector.body ], [ 0, %vector.main.loop.iter.check ]
  %14 = getelementptr i16, ptr %.243, i64 %index
  %15 = getelementptr i8, ptr %14, i64 16
  %wide.load = load <8 x i16>, ptr %14, align 2, !noalias !520
  %wide.load7 = load <8 x i16>, ptr %15, align 2, !noalias !520
  %16 = getelementptr i16, ptr %.274, i64 %index
  %17 = getelementptr i8, ptr %16, i64 16
  store <8 x i16> %wide.load, ptr %16, align 2, !noalias !520
  store <8 x i16> %wide.load7, ptr %17, align 2, !noalias !520
  %index.next = add nuw i64 %index, 16
  %18 = icmp eq i64 %index.next, %n.vec
  br i1 %18, label %middle.block, label %vector.body, !llvm.loop !527

middle.block:                                     ; preds = %vector.body
  br i1 %cmp.n, label %B228.preheader.thread23.i, label %vec.epilog.iter.check

vec.epilog.iter.check:                            ; preds = %middle.block
  br i1 %min.epilog.iters.check, label %B162.if.us.i.preheader, label %vec.epilog.ph, !prof !525

vec.epilog.ph:                                    ; preds = %vector.main.loop.iter.check, %vec.epilog.iter.check
  %vec.epilog.resume.val = phi i64 [ %n.vec, %vec.epilog.iter.check ], [ 0, %vector.main.loop.iter.check ]
  br label %vec.epilog.vector.body

vec.epilog.vector.body:                           ; preds = %vec.epilog.vector.body, %vec.epilog.ph
  %index10 = phi i64 [ %vec.epilog.resume.val, %vec.epilog.ph ], [ %index.next12, %vec.epilog.vector.body ]
  %19 = getelementptr i16, ptr %.243, i64 %index10
  %wide.load11 = load <4 x i16>, ptr %19, align 2, !noalias !520
  %20 = getelementptr i16, ptr %.274, i64 %index10
  store <4 x i16> %wide.load11, ptr %20, align 2, !noalias !520
  %index.next12 = add nuw i64 %index10, 4
  %21 = icmp eq i64 %index.next12, %n.vec9
  br i1 %21, label %vec.epilog.middle.block, label %vec.epilog.vector.body, !llvm.loop !528

vec.epilog.middle.block:                          ; preds = %vec.epilog.vector.body
  br i1 %cmp.n13, label %B228.preheader.thread23.i, label %B162.if.us.i.preheader

B162.if.us.i.preheader:                           ; preds = %iter.check, %vec.epilog.iter.check, %vec.epilog.middle.block
  %.285.07.us.i.ph = phi i64 [ 0, %iter.check ], [ %n.vec, %vec.epilog.iter.check ], [ %n.vec9, %vec.epilog.middle.block ]
  br i1 %lcmp.mod89.not, label %B162.if.us.i.prol.loopexit, label %B162.if.us.i.prol

B162.if.us.i.prol:                                ; preds = %B162.if.us.i.preheader, %B162.if.us.i.prol
  %.285.07.us.i.prol = phi i64 [ %.354.us.i.prol, %B162.if.us.i.prol ], [ %.285.07.us.i.ph, %B162.if.us.i.preheader ]
  %prol.iter90 = phi i64 [ %prol.iter90.next, %B162.if.us.i.prol ], [ 0, %B162.if.us.i.preheader ]
  %.354.us.i.prol = add nuw nsw i64 %.285.07.us.i.prol, 1
  %22 = getelementptr i16, ptr %.243, i64 %.285.07.us.i.prol
  %.414.us.i.prol = load i16, ptr %22, align 2, !noalias !520
  %23 = getelementptr i16, ptr %.274, i64 %.285.07.us.i.prol
  store i16 %.414.us.i.prol, ptr %23, align 2, !noalias !520
  %prol.iter90.next = add i64 %prol.iter90, 1
  %prol.iter90.cmp.not = icmp eq i64 %prol.iter90.next, %xtraiter88
  br i1 %prol.iter90.cmp.not, label %B162.if.us.i.prol.loopexit, label %B162.if.us.i.prol, !llvm.loop !529

B162.if.us.i.prol.loopexit:                       ; preds = %B162.if.us.i.prol, %B162.if.us.i.preheader
  %.285.07.us.i.unr = phi i64 [ %.285.07.us.i.ph, %B162.if.us.i.preheader ], [ %.354.us.i.prol, %B162.if.us.i.prol ]
  %24 = sub i64 %.285.07.us.i.ph, %arg.width.fr.i135
  %25 = icmp ugt i64 %24, -4
  br i1 %25, label %B228.preheader.thread23.i, label %B162.if.us.i

B162.if.us.i:                                     ; preds = %B162.if.us.i.prol.loopexit, %B162.if.us.i
  %.285.07.us.i = phi i64 [ %.354.us.i.3, %B162.if.us.i ], [ %.285.07.us.i.unr, %B162.if.us.i.prol.loopexit ]
  %.354.us.i = add nuw nsw i64 %.285.07.us.i, 1
  %26 = getelementptr i16, ptr %.243, i64 %.285.07.us.i
  %.414.us.i = load i16, ptr %26, align 2, !noalias !520
  %27 = getelementptr i16, ptr %.274, i64 %.285.07.us.i
  store i16 %.414.us.i, ptr %27, align 2, !noalias !520
  %.354.us.i.1 = add nuw nsw i64 %.285.07.us.i, 2
  %28 = getelementptr i16, ptr %.243, i64 %.354.us.i
  %.414.us.i.1 = load i16, ptr %28, align 2, !noalias !520
  %29 = getelementptr i16, ptr %.274, i64 %.354.us.i
  store i16 %.414.us.i.1, ptr %29, align 2, !noalias !520
  %.354.us.i.2 = add nuw nsw i64 %.285.07.us.i, 3
  %30 = getelementptr i16, ptr %.243, i64 %.354.us.i.1
  %.414.us.i.2 = load i16, ptr %30, align 2, !noalias !520
  %31 = getelementptr i16, ptr %.274, i64 %.354.us.i.1
  store i16 %.414.us.i.2, ptr %31, align 2, !noalias !520
  %.354.us.i.3 = add nuw nsw i64 %.285.07.us.i, 4
  %32 = getelementptr i16, ptr %.243, i64 %.354.us.i.2
  %.414.us.i.3 = load i16, ptr %32, align 2, !noalias !520
  %33 = getelementptr i16, ptr %.274, i64 %.354.us.i.2
  store i16 %.414.us.i.3, ptr %33, align 2, !noalias !520
  %exitcond19.not.i.3 = icmp eq i64 %.354.us.i.3, %arg.width.fr.i135
  br i1 %exitcond19.not.i.3, label %B228.preheader.thread23.i, label %B162.if.us.i, !llvm.loop !530

B228.preheader.thread23.i:                        ; preds = %B162.if.us.i.prol.loopexit, %B162.if.us.i, %vec.epilog.middle.block, %middle.block
  br i1 %.1732.not.i138, label %B387, label %B228.if.us.i.preheader

B228.preheader.thread.i:                          ; preds = %B162.if.i, %vec.epilog.middle.block39, %middle.block25
  br i1 %.1732.not.i138, label %B387, label %B228.if.i.preheader

B228.if.i.preheader:                              ; preds = %B228.if.lr.ph.i, %B228.preheader.thread.i
  br label %B228.if.i

B228.if.lr.ph.i:                                  ; preds = %B114.thread.i
  br i1 %.25726.i, label %B228.if.us.i.preheader, label %B228.if.i.preheader

B228.if.us.i.preheader:                           ; preds = %B228.preheader.thread23.i, %B228.if.lr.ph.i
  br label %B228.if.us.i

B228.if.us.i:                                     ; preds = %B228.if.us.i.preheader, %B410.us.i
  %.490.010.us.i = phi i64 [ %.559.us.i, %B410.us.i ], [ 0, %B228.if.us.i.preheader ]
  %.559.us.i = add nuw nsw i64 %.490.010.us.i, 1
  %34 = getelementptr i32, ptr %.200, i64 %.490.010.us.i
  %.622.us.i = load i32, ptr %34, align 4, !noalias !520
  %.673.not.us.i = icmp eq i32 %.622.us.i, -1
  br i1 %.673.not.us.i, label %B410.us.i, label %B306.preheader.us.i

B410.us.i:                                        ; preds = %B406.us.us.i, %B228.if.us.i
  %exitcond21.not.i = icmp eq i64 %.52.0.i137, %.559.us.i
  br i1 %exitcond21.not.i, label %B442.preheader.i, label %B228.if.us.i

B306.preheader.us.i:                              ; preds = %B228.if.us.i
  %.623.us.i = xor i32 %.622.us.i, -1
  %"$phi280.3.2.1.us.i" = zext i32 %.623.us.i to i64
  %.679.us.i = shl nsw i64 %.490.010.us.i, 5
  br label %B306.us.us.i

B306.us.us.i:                                     ; preds = %B406.us.us.i, %B306.preheader.us.i
  %bits.4.1.us.us.i = phi i64 [ %.689.us.us.i, %B406.us.us.i ], [ %"$phi280.3.2.1.us.i", %B306.preheader.us.i ]
  %.681.us.us.i = tail call i64 @llvm.cttz.i64(i64 %bits.4.1.us.us.i, i1 true)
  %.682.us.us.i = add nuw nsw i64 %.681.us.us.i, %.679.us.i
  %.687.us.us.i = add nsw i64 %bits.4.1.us.us.i, -1
  %.689.us.us.i = and i64 %.687.us.us.i, %bits.4.1.us.us.i
  %.697.us.us.i = icmp slt i64 %.682.us.us.i, %arg.width.fr.i135
  br i1 %.697.us.us.i, label %B376.us.us.i, label %B406.us.us.i

B376.us.us.i:                                     ; preds = %B306.us.us.i
  %35 = getelementptr i16, ptr %.274, i64 %.682.us.us.i
  store i16 %1, ptr %35, align 2, !noalias !520
  br label %B406.us.us.i

B406.us.us.i:                                     ; preds = %B376.us.us.i, %B306.us.us.i
  %.785.not.us.us.i = icmp eq i64 %.689.us.us.i, 0
  br i1 %.785.not.us.us.i, label %B410.us.i, label %B306.us.us.i

B442.preheader.i:                                 ; preds = %B410.i, %B410.us.i
  br i1 %.1732.not.i138, label %B387, label %B442.if.i

B306.preheader.i:                                 ; preds = %B228.if.i
  %"$phi280.3.2.1.i" = zext i32 %.659.i to i64
  %.679.i = shl nsw i64 %.490.010.i, 5
  br label %B306.i

B306.i:                                           ; preds = %B406.i, %B306.preheader.i
  %bits.4.1.i = phi i64 [ %.689.i, %B406.i ], [ %"$phi280.3.2.1.i", %B306.preheader.i ]
  %.681.i = tail call i64 @llvm.cttz.i64(i64 %bits.4.1.i, i1 true)
  %.682.i = add nuw nsw i64 %.681.i, %.679.i
  %.687.i = add nsw i64 %bits.4.1.i, -1
  %.689.i = and i64 %.687.i, %bits.4.1.i
  %.697.i = icmp slt i64 %.682.i, %arg.width.fr.i135
  br i1 %.697.i, label %B376.i, label %B406.i

B376.i:                                           ; preds = %B306.i
  %36 = getelementptr i16, ptr %.243, i64 %.682.i
  %.736.i = load i16, ptr %36, align 2, !noalias !520
  %37 = getelementptr i16, ptr %.274, i64 %.682.i
  store i16 %.736.i, ptr %37, align 2, !noalias !520
  br label %B406.i

B406.i:                                           ; preds = %B376.i, %B306.i
  %.785.not.i = icmp eq i64 %.689.i, 0
  br i1 %.785.not.i, label %B410.i, label %B306.i

B410.i:                                           ; preds = %B406.i, %B228.if.i
  %exitcond20.not.i = icmp eq i64 %.52.0.i137, %.559.i
  br i1 %exitcond20.not.i, label %B442.preheader.i, label %B228.if.i

B498.i:                                           ; preds = %B498.preheader.i, %B626.i
  %bits.5.1.i = phi i64 [ %.982.i, %B626.i ], [ %.961.i, %B498.preheader.i ]
  %.974.i = tail call i64 @llvm.cttz.i64(i64 %bits.5.1.i, i1 true)
  %.975.i = add nuw nsw i64 %.974.i, %.972.i
  %.980.i = add nsw i64 %bits.5.1.i, -1
  %.982.i = and i64 %.980.i, %bits.5.1.i
  %.990.i = icmp slt i64 %.975.i, %arg.width.fr.i135
  br i1 %.990.i, label %B568.i, label %B626.i

B568.i:                                           ; preds = %B498.i
  %38 = getelementptr i16, ptr %.243, i64 %.975.i
  %.1022.i = load i16, ptr %38, align 2, !noalias !520
  %.1026.i = sext i16 %.1022.i to i64
  %.1027.not.i = icmp eq i64 %arg.nothing, %.1026.i
  br i1 %.1027.not.i, label %B626.i, label %B387

B626.i:                                           ; preds = %B568.i, %B498.i
  %.1051.not.i = icmp eq i64 %.982.i, 0
  br i1 %.1051.not.i, label %B630.i, label %B498.i

B630.i:                                           ; preds = %B626.i, %B442.if.i
  %exitcond22.not.i = icmp eq i64 %.52.0.i137, %.902.i
  br i1 %exitcond22.not.i, label %B387, label %B442.if.i

B80.if.i:                                         ; preds = %B80.if.i.preheader, %B80.if.i
  %sample.2.05.i = phi i64 [ %.244.i.3, %B80.if.i ], [ 0, %B80.if.i.preheader ]
  %.115.03.i = phi i64 [ %.186.i.3, %B80.if.i ], [ 0, %B80.if.i.preheader ]
  %niter87 = phi i64 [ %niter87.next.3, %B80.if.i ], [ 0, %B80.if.i.preheader ]
  %39 = getelementptr i32, ptr %.200, i64 %.115.03.i
  %.240.i = load i32, ptr %39, align 4, !noalias !520
  %.240.i.fr = freeze i32 %.240.i
  %40 = and i32 %.240.i.fr, 1
  %.242.i = zext i32 %40 to i64
  %.244.i = add i64 %sample.2.05.i, %.242.i
  %41 = getelementptr i32, ptr %.200, i64 %.115.03.i
  %42 = getelementptr i8, ptr %41, i64 4
  %.240.i.1 = load i32, ptr %42, align 4, !noalias !520
  %.240.i.fr.1 = freeze i32 %.240.i.1
  %43 = and i32 %.240.i.fr.1, 1
  %.242.i.1 = zext i32 %43 to i64
  %.244.i.1 = add i64 %.244.i, %.242.i.1
  %44 = getelementptr i32, ptr %.200, i64 %.115.03.i
  %45 = getelementptr i8, ptr %44, i64 8
  %.240.i.2 = load i32, ptr %45, align 4, !noalias !520
  %.240.i.fr.2 = freeze i32 %.240.i.2
  %46 = and i32 %.240.i.fr.2, 1
  %.242.i.2 = zext i32 %46 to i64
  %.244.i.2 = add i64 %.244.i.1, %.242.i.2
  %.186.i.3 = add nuw nsw i64 %.115.03.i, 4
  %47 = getelementptr i32, ptr %.200, i64 %.115.03.i
  %48 = getelementptr i8, ptr %47, i64 12
  %.240.i.3 = load i32, ptr %48, align 4, !noalias !520
  %.240.i.fr.3 = freeze i32 %.240.i.3
  %49 = and i32 %.240.i.fr.3, 1
  %.242.i.3 = zext i32 %49 to i64
  %.244.i.3 = add i64 %.244.i.2, %.242.i.3
  %niter87.next.3 = add i64 %niter87, 4
  %niter87.ncmp.3 = icmp eq i64 %niter87.next.3, %unroll_iter86
  br i1 %niter87.ncmp.3, label %B114.thread.i.unr-lcssa, label %B80.if.i

B162.if.i:                                        ; preds = %B162.if.i.preheader, %B162.if.i
  %.285.07.i = phi i64 [ %.354.i, %B162.if.i ], [ %.285.07.i.ph, %B162.if.i.preheader ]
  %.354.i = add nuw nsw i64 %.285.07.i, 1
  %50 = getelementptr i16, ptr %.274, i64 %.285.07.i
  store i16 %1, ptr %50, align 2, !noalias !520
  %exitcond18.not.i = icmp eq i64 %.354.i, %arg.width.fr.i135
  br i1 %exitcond18.not.i, label %B228.preheader.thread.i, label %B162.if.i, !llvm.loop !531

B228.if.i:                                        ; preds = %B228.if.i.preheader, %B410.i
  %.490.010.i = phi i64 [ %.559.i, %B410.i ], [ 0, %B228.if.i.preheader ]
  %.559.i = add nuw nsw i64 %.490.010.i, 1
  %51 = getelementptr i32, ptr %.200, i64 %.490.010.i
  %.659.i = load i32, ptr %51, align 4, !noalias !520
  %.673.not.i = icmp eq i32 %.659.i, 0
  br i1 %.673.not.i, label %B410.i, label %B306.preheader.i

B442.if.i:                                        ; preds = %B442.preheader.i, %B630.i
  %.833.013.i = phi i64 [ %.902.i, %B630.i ], [ 0, %B442.preheader.i ]
  %.902.i = add nuw nsw i64 %.833.013.i, 1
  %52 = getelementptr i32, ptr %.200, i64 %.833.013.i
  %.960.i = load i32, ptr %52, align 4, !noalias !520
  %.966.not.i = icmp eq i32 %.960.i, 0
  br i1 %.966.not.i, label %B630.i, label %B498.preheader.i

B498.preheader.i:                                 ; preds = %B442.if.i
  %.961.i = zext i32 %.960.i to i64
  %.972.i = shl nsw i64 %.833.013.i, 5
  br label %B498.i

B272:                                             ; preds = %B64.if
  br i1 %.1732.not.i138, label %B114.i235, label %B80.if.i139.preheader

B80.if.i139.preheader:                            ; preds = %B272
  br i1 %2, label %B80.if.i139.epil.preheader, label %B80.if.i139

B114.i235:                                        ; preds = %B272
  br i1 %.3416.not28.i150, label %B387, label %B162.if.lr.ph.i151

B114.thread.i147.unr-lcssa:                       ; preds = %B80.if.i139
  br i1 %lcmp.mod.not, label %B114.thread.i147, label %B80.if.i139.epil.preheader

B80.if.i139.epil.preheader:                       ; preds = %B114.thread.i147.unr-lcssa, %B80.if.i139.preheader
  %sample.2.05.i140.epil.init = phi i64 [ 0, %B80.if.i139.preheader ], [ %.244.i145.3, %B114.thread.i147.unr-lcssa ]
  %.115.03.i141.epil.init = phi i64 [ 0, %B80.if.i139.preheader ], [ %.186.i142.3, %B114.thread.i147.unr-lcssa ]
  tail call void @llvm.assume(i1 %lcmp.mod78)
  br label %B80.if.i139.epil

B80.if.i139.epil:                                 ; preds = %B80.if.i139.epil, %B80.if.i139.epil.preheader
  %sample.2.05.i140.epil = phi i64 [ %.244.i145.epil, %B80.if.i139.epil ], [ %sample.2.05.i140.epil.init, %B80.if.i139.epil.preheader ]
  %.115.03.i141.epil = phi i64 [ %.186.i142.epil, %B80.if.i139.epil ], [ %.115.03.i141.epil.init, %B80.if.i139.epil.preheader ]
  %epil.iter = phi i64 [ %epil.iter.next, %B80.if.i139.epil ], [ 0, %B80.if.i139.epil.preheader ]
  %.186.i142.epil = add nuw nsw i64 %.115.03.i141.epil, 1
  %53 = getelementptr i32, ptr %.200, i64 %.115.03.i141.epil
  %.240.i143.epil = load i32, ptr %53, align 4, !noalias !532
  %.240.i143.fr.epil = freeze i32 %.240.i143.epil
  %54 = and i32 %.240.i143.fr.epil, 1
  %.242.i144.epil = zext i32 %54 to i64
  %.244.i145.epil = add i64 %sample.2.05.i140.epil, %.242.i144.epil
  %epil.iter.next = add i64 %epil.iter, 1
  %epil.iter.cmp.not = icmp eq i64 %epil.iter.next, %xtraiter
  br i1 %epil.iter.cmp.not, label %B114.thread.i147, label %B80.if.i139.epil, !llvm.loop !535

B114.thread.i147:                                 ; preds = %B80.if.i139.epil, %B114.thread.i147.unr-lcssa
  %.244.i145.lcssa = phi i64 [ %.244.i145.3, %B114.thread.i147.unr-lcssa ], [ %.244.i145.epil, %B80.if.i139.epil ]
  %55 = shl i64 %.244.i145.lcssa, 1
  %.25726.i148 = icmp sgt i64 %55, %.52.0.i137
  br i1 %.3416.not28.i150, label %B228.if.lr.ph.i234, label %B162.if.lr.ph.i151

B162.if.lr.ph.i151:                               ; preds = %B114.thread.i147, %B114.i235
  %.257.fr30.i152 = phi i1 [ %.25726.i148, %B114.thread.i147 ], [ %.257.i236, %B114.i235 ]
  br i1 %.257.fr30.i152, label %B162.if.us.i205.preheader, label %B162.if.i153.preheader

B162.if.i153.preheader:                           ; preds = %B162.if.lr.ph.i151
  br i1 %min.iters.check44, label %B162.if.i153.preheader76, label %vector.body63

vector.body63:                                    ; preds = %B162.if.i153.preheader, %vector.body63
  %index64 = phi i64 [ %index.next65, %vector.body63 ], [ 0, %B162.if.i153.preheader ]
  %56 = getelementptr i32, ptr %.274, i64 %index64
  %57 = getelementptr i8, ptr %56, i64 16
  store <4 x i32> %broadcast.splat62, ptr %56, align 4, !noalias !532
  store <4 x i32> %broadcast.splat62, ptr %57, align 4, !noalias !532
  %index.next65 = add nuw i64 %index64, 8
  %58 = icmp eq i64 %index.next65, %n.vec60
  br i1 %58, label %middle.block66, label %vector.body63, !llvm.loop !536

middle.block66:                                   ; preds = %vector.body63
  br i1 %cmp.n67, label %B228.preheader.thread.i157, label %B162.if.i153.preheader76

B162.if.i153.preheader76:                         ; preds = %B162.if.i153.preheader, %middle.block66
  %.285.07.i154.ph = phi i64 [ 0, %B162.if.i153.preheader ], [ %n.vec60, %middle.block66 ]
  br label %B162.if.i153

B162.if.us.i205.preheader:                        ; preds = %B162.if.lr.ph.i151
  br i1 %or.cond69, label %B162.if.us.i205.preheader74, label %vector.body48

vector.body48:                                    ; preds = %B162.if.us.i205.preheader, %vector.body48
  %index49 = phi i64 [ %index.next52, %vector.body48 ], [ 0, %B162.if.us.i205.preheader ]
  %59 = getelementptr i32, ptr %.243, i64 %index49
  %60 = getelementptr i8, ptr %59, i64 16
  %wide.load50 = load <4 x i32>, ptr %59, align 4, !noalias !532
  %wide.load51 = load <4 x i32>, ptr %60, align 4, !noalias !532
  %61 = getelementptr i32, ptr %.274, i64 %index49
  %62 = getelementptr i8, ptr %61, i64 16
  store <4 x i32> %wide.load50, ptr %61, align 4, !noalias !532
  store <4 x i32> %wide.load51, ptr %62, align 4, !noalias !532
  %index.next52 = add nuw i64 %index49, 8
  %63 = icmp eq i64 %index.next52, %n.vec47
  br i1 %63, label %middle.block53, label %vector.body48, !llvm.loop !537

middle.block53:                                   ; preds = %vector.body48
  br i1 %cmp.n54, label %B228.preheader.thread23.i210, label %B162.if.us.i205.preheader74

B162.if.us.i205.preheader74:                      ; preds = %B162.if.us.i205.preheader, %middle.block53
  %.285.07.us.i206.ph = phi i64 [ 0, %B162.if.us.i205.preheader ], [ %n.vec47, %middle.block53 ]
  br i1 %lcmp.mod80.not, label %B162.if.us.i205.prol.loopexit, label %B162.if.us.i205.prol

B162.if.us.i205.prol:                             ; preds = %B162.if.us.i205.preheader74, %B162.if.us.i205.prol
  %.285.07.us.i206.prol = phi i64 [ %.354.us.i207.prol, %B162.if.us.i205.prol ], [ %.285.07.us.i206.ph, %B162.if.us.i205.preheader74 ]
  %prol.iter = phi i64 [ %prol.iter.next, %B162.if.us.i205.prol ], [ 0, %B162.if.us.i205.preheader74 ]
  %.354.us.i207.prol = add nuw nsw i64 %.285.07.us.i206.prol, 1
  %64 = getelementptr i32, ptr %.243, i64 %.285.07.us.i206.prol
  %.414.us.i208.prol = load i32, ptr %64, align 4, !noalias !532
  %65 = getelementptr i32, ptr %.274, i64 %.285.07.us.i206.prol
  store i32 %.414.us.i208.prol, ptr %65, align 4, !noalias !532
  %prol.iter.next = add i64 %prol.iter, 1
  %prol.iter.cmp.not = icmp eq i64 %prol.iter.next, %xtraiter79
  br i1 %prol.iter.cmp.not, label %B162.if.us.i205.prol.loopexit, label %B162.if.us.i205.prol, !llvm.loop !538

B162.if.us.i205.prol.loopexit:                    ; preds = %B162.if.us.i205.prol, %B162.if.us.i205.preheader74
  %.285.07.us.i206.unr = phi i64 [ %.285.07.us.i206.ph, %B162.if.us.i205.preheader74 ], [ %.354.us.i207.prol, %B162.if.us.i205.prol ]
  %66 = sub i64 %.285.07.us.i206.ph, %arg.width.fr.i135
  %67 = icmp ugt i64 %66, -4
  br i1 %67, label %B228.preheader.thread23.i210, label %B162.if.us.i205

B162.if.us.i205:                                  ; preds = %B162.if.us.i205.prol.loopexit, %B162.if.us.i205
  %.285.07.us.i206 = phi i64 [ %.354.us.i207.3, %B162.if.us.i205 ], [ %.285.07.us.i206.unr, %B162.if.us.i205.prol.loopexit ]
  %.354.us.i207 = add nuw nsw i64 %.285.07.us.i206, 1
  %68 = getelementptr i32, ptr %.243, i64 %.285.07.us.i206
  %.414.us.i208 = load i32, ptr %68, align 4, !noalias !532
  %69 = getelementptr i32, ptr %.274, i64 %.285.07.us.i206
  store i32 %.414.us.i208, ptr %69, align 4, !noalias !532
  %.354.us.i207.1 = add nuw nsw i64 %.285.07.us.i206, 2
  %70 = getelementptr i32, ptr %.243, i64 %.354.us.i207
  %.414.us.i208.1 = load i32, ptr %70, align 4, !noalias !532
  %71 = getelementptr i32, ptr %.274, i64 %.354.us.i207
  store i32 %.414.us.i208.1, ptr %71, align 4, !noalias !532
  %.354.us.i207.2 = add nuw nsw i64 %.285.07.us.i206, 3
  %72 = getelementptr i32, ptr %.243, i64 %.354.us.i207.1
  %.414.us.i208.2 = load i32, ptr %72, align 4, !noalias !532
  %73 = getelementptr i32, ptr %.274, i64 %.354.us.i207.1
  store i32 %.414.us.i208.2, ptr %73, align 4, !noalias !532
  %.354.us.i207.3 = add nuw nsw i64 %.285.07.us.i206, 4
  %74 = getelementptr i32, ptr %.243, i64 %.354.us.i207.2
  %.414.us.i208.3 = load i32, ptr %74, align 4, !noalias !532
  %75 = getelementptr i32, ptr %.274, i64 %.354.us.i207.2
  store i32 %.414.us.i208.3, ptr %75, align 4, !noalias !532
  %exitcond19.not.i209.3 = icmp eq i64 %.354.us.i207.3, %arg.width.fr.i135
  br i1 %exitcond19.not.i209.3, label %B228.preheader.thread23.i210, label %B162.if.us.i205, !llvm.loop !539

B228.preheader.thread23.i210:                     ; preds = %B162.if.us.i205.prol.loopexit, %B162.if.us.i205, %middle.block53
  br i1 %.1732.not.i138, label %B387, label %B228.if.us.i213.preheader

B228.preheader.thread.i157:                       ; preds = %B162.if.i153, %middle.block66
  br i1 %.1732.not.i138, label %B387, label %B228.if.i159.preheader

B228.if.i159.preheader:                           ; preds = %B228.if.lr.ph.i234, %B228.preheader.thread.i157
  br label %B228.if.i159

B228.if.lr.ph.i234:                               ; preds = %B114.thread.i147
  br i1 %.25726.i148, label %B228.if.us.i213.preheader, label %B228.if.i159.preheader

B228.if.us.i213.preheader:                        ; preds = %B228.preheader.thread23.i210, %B228.if.lr.ph.i234
  br label %B228.if.us.i213

B228.if.us.i213:                                  ; preds = %B228.if.us.i213.preheader, %B410.us.i231
  %.490.010.us.i214 = phi i64 [ %.559.us.i215, %B410.us.i231 ], [ 0, %B228.if.us.i213.preheader ]
  %.559.us.i215 = add nuw nsw i64 %.490.010.us.i214, 1
  %76 = getelementptr i32, ptr %.200, i64 %.490.010.us.i214
  %.622.us.i216 = load i32, ptr %76, align 4, !noalias !532
  %.673.not.us.i217 = icmp eq i32 %.622.us.i216, -1
  br i1 %.673.not.us.i217, label %B410.us.i231, label %B306.preheader.us.i218

B410.us.i231:                                     ; preds = %B406.us.us.i229, %B228.if.us.i213
  %exitcond21.not.i232 = icmp eq i64 %.52.0.i137, %.559.us.i215
  br i1 %exitcond21.not.i232, label %B442.preheader.i178, label %B228.if.us.i213

B306.preheader.us.i218:                           ; preds = %B228.if.us.i213
  %.623.us.i219 = xor i32 %.622.us.i216, -1
  %"$phi280.3.2.1.us.i220" = zext i32 %.623.us.i219 to i64
  %.679.us.i221 = shl nsw i64 %.490.010.us.i214, 5
  br label %B306.us.us.i222

B306.us.us.i222:                                  ; preds = %B406.us.us.i229, %B306.preheader.us.i218
  %bits.4.1.us.us.i223 = phi i64 [ %.689.us.us.i227, %B406.us.us.i229 ], [ %"$phi280.3.2.1.us.i220", %B306.preheader.us.i218 ]
  %.681.us.us.i224 = tail call i64 @llvm.cttz.i64(i64 %bits.4.1.us.us.i223, i1 true)
  %.682.us.us.i225 = add nuw nsw i64 %.681.us.us.i224, %.679.us.i221
  %.687.us.us.i226 = add nsw i64 %bits.4.1.us.us.i223, -1
  %.689.us.us.i227 = and i64 %.687.us.us.i226, %bits.4.1.us.us.i223
  %.697.us.us.i228 = icmp slt i64 %.682.us.us.i225, %arg.width.fr.i135
  br i1 %.697.us.us.i228, label %B376.us.us.i233, label %B406.us.us.i229

B376.us.us.i233:                                  ; preds = %B306.us.us.i222
  %77 = getelementptr i32, ptr %.274, i64 %.682.us.us.i225
  store i32 %0, ptr %77, align 4, !noalias !532
  br label %B406.us.us.i229

B406.us.us.i229:                                  ; preds = %B376.us.us.i233, %B306.us.us.i222
  %.785.not.us.us.i230 = icmp eq i64 %.689.us.us.i227, 0
  br i1 %.785.not.us.us.i230, label %B410.us.i231, label %B306.us.us.i222

B442.preheader.i178:                              ; preds = %B410.i176, %B410.us.i231
  br i1 %.1732.not.i138, label %B387, label %B442.if.i179

B306.preheader.i164:                              ; preds = %B228.if.i159
  %"$phi280.3.2.1.i165" = zext i32 %.659.i162 to i64
  %.679.i166 = shl nsw i64 %.490.010.i160, 5
  br label %B306.i167

B306.i167:                                        ; preds = %B406.i174, %B306.preheader.i164
  %bits.4.1.i168 = phi i64 [ %.689.i172, %B406.i174 ], [ %"$phi280.3.2.1.i165", %B306.preheader.i164 ]
  %.681.i169 = tail call i64 @llvm.cttz.i64(i64 %bits.4.1.i168, i1 true)
  %.682.i170 = add nuw nsw i64 %.681.i169, %.679.i166
  %.687.i171 = add nsw i64 %bits.4.1.i168, -1
  %.689.i172 = and i64 %.687.i171, %bits.4.1.i168
  %.697.i173 = icmp slt i64 %.682.i170, %arg.width.fr.i135
  br i1 %.697.i173, label %B376.i203, label %B406.i174

B376.i203:                                        ; preds = %B306.i167
  %78 = getelementptr i32, ptr %.243, i64 %.682.i170
  %.736.i204 = load i32, ptr %78, align 4, !noalias !532
  %79 = getelementptr i32, ptr %.274, i64 %.682.i170
  store i32 %.736.i204, ptr %79, align 4, !noalias !532
  br label %B406.i174

B406.i174:                                        ; preds = %B376.i203, %B306.i167
  %.785.not.i175 = icmp eq i64 %.689.i172, 0
  br i1 %.785.not.i175, label %B410.i176, label %B306.i167

B410.i176:                                        ; preds = %B406.i174, %B228.if.i159
  %exitcond20.not.i177 = icmp eq i64 %.52.0.i137, %.559.i161
  br i1 %exitcond20.not.i177, label %B442.preheader.i178, label %B228.if.i159

B498.i187:                                        ; preds = %B498.preheader.i184, %B626.i194
  %bits.5.1.i188 = phi i64 [ %.982.i192, %B626.i194 ], [ %.961.i185, %B498.preheader.i184 ]
  %.974.i189 = tail call i64 @llvm.cttz.i64(i64 %bits.5.1.i188, i1 true)
  %.975.i190 = add nuw nsw i64 %.974.i189, %.972.i186
  %.980.i191 = add nsw i64 %bits.5.1.i188, -1
  %.982.i192 = and i64 %.980.i191, %bits.5.1.i188
  %.990.i193 = icmp slt i64 %.975.i190, %arg.width.fr.i135
  br i1 %.990.i193, label %B568.i199, label %B626.i194

B568.i199:                                        ; preds = %B498.i187
  %80 = getelementptr i32, ptr %.243, i64 %.975.i190
  %.1022.i200 = load i32, ptr %80, align 4, !noalias !532
  %.1026.i201 = sext i32 %.1022.i200 to i64
  %.1027.not.i202 = icmp eq i64 %arg.nothing, %.1026.i201
  br i1 %.1027.not.i202, label %B626.i194, label %B387

B626.i194:                                        ; preds = %B568.i199, %B498.i187
  %.1051.not.i195 = icmp eq i64 %.982.i192, 0
  br i1 %.1051.not.i195, label %B630.i196, label %B498.i187

B630.i196:                                        ; preds = %B626.i194, %B442.if.i179
  %exitcond22.not.i197 = icmp eq i64 %.52.0.i137, %.902.i181
  br i1 %exitcond22.not.i197, label %B387, label %B442.if.i179

B80.if.i139:                                      ; preds = %B80.if.i139.preheader, %B80.if.i139
  %sample.2.05.i140 = phi i64 [ %.244.i145.3, %B80.if.i139 ], [ 0, %B80.if.i139.preheader ]
  %.115.03.i141 = phi i64 [ %.186.i142.3, %B80.if.i139 ], [ 0, %B80.if.i139.preheader ]
  %niter = phi i64 [ %niter.next.3, %B80.if.i139 ], [ 0, %B80.if.i139.preheader ]
  %81 = getelementptr i32, ptr %.200, i64 %.115.03.i141
  %.240.i143 = load i32, ptr %81, align 4, !noalias !532
  %.240.i143.fr = freeze i32 %.240.i143
  %82 = and i32 %.240.i143.fr, 1
  %.242.i144 = zext i32 %82 to i64
  %.244.i145 = add i64 %sample.2.05.i140, %.242.i144
  %83 = getelementptr i32, ptr %.200, i64 %.115.03.i141
  %84 = getelementptr i8, ptr %83, i64 4
  %.240.i143.1 = load i32, ptr %84, align 4, !noalias !532
  %.240.i143.fr.1 = freeze i32 %.240.i143.1
  %85 = and i32 %.240.i143.fr.1, 1
  %.242.i144.1 = zext i32 %85 to i64
  %.244.i145.1 = add i64 %.244.i145, %.242.i144.1
  %86 = getelementptr i32, ptr %.200, i64 %.115.03.i141
  %87 = getelementptr i8, ptr %86, i64 8
  %.240.i143.2 = load i32, ptr %87, align 4, !noalias !532
  %.240.i143.fr.2 = freeze i32 %.240.i143.2
  %88 = and i32 %.240.i143.fr.2, 1
  %.242.i144.2 = zext i32 %88 to i64
  %.244.i145.2 = add i64 %.244.i145.1, %.242.i144.2
  %.186.i142.3 = add nuw nsw i64 %.115.03.i141, 4
  %89 = getelementptr i32, ptr %.200, i64 %.115.03.i141
  %90 = getelementptr i8, ptr %89, i64 12
  %.240.i143.3 = load i32, ptr %90, align 4, !noalias !532
  %.240.i143.fr.3 = freeze i32 %.240.i143.3
  %91 = and i32 %.240.i143.fr.3, 1
  %.242.i144.3 = zext i32 %91 to i64
  %.244.i145.3 = add i64 %.244.i145.2, %.242.i144.3
  %niter.next.3 = add i64 %niter, 4
  %niter.ncmp.3 = icmp eq i64 %niter.next.3, %unroll_iter
  br i1 %niter.ncmp.3, label %B114.thread.i147.unr-lcssa, label %B80.if.i139

B162.if.i153:                                     ; preds = %B162.if.i153.preheader76, %B162.if.i153
  %.285.07.i154 = phi i64 [ %.354.i155, %B162.if.i153 ], [ %.285.07.i154.ph, %B162.if.i153.preheader76 ]
  %.354.i155 = add nuw nsw i64 %.285.07.i154, 1
  %92 = getelementptr i32, ptr %.274, i64 %.285.07.i154
  store i32 %0, ptr %92, align 4, !noalias !532
  %exitcond18.not.i156 = icmp eq i64 %.354.i155, %arg.width.fr.i135
  br i1 %exitcond18.not.i156, label %B228.preheader.thread.i157, label %B162.if.i153, !llvm.loop !540

B228.if.i159:                                     ; preds = %B228.if.i159.preheader, %B410.i176
  %.490.010.i160 = phi i64 [ %.559.i161, %B410.i176 ], [ 0, %B228.if.i159.preheader ]
  %.559.i161 = add nuw nsw i64 %.490.010.i160, 1
  %93 = getelementptr i32, ptr %.200, i64 %.490.010.i160
  %.659.i162 = load i32, ptr %93, align 4, !noalias !532
  %.673.not.i163 = icmp eq i32 %.659.i162, 0
  br i1 %.673.not.i163, label %B410.i176, label %B306.preheader.i164

B442.if.i179:                                     ; preds = %B442.preheader.i178, %B630.i196
  %.833.013.i180 = phi i64 [ %.902.i181, %B630.i196 ], [ 0, %B442.preheader.i178 ]
  %.902.i181 = add nuw nsw i64 %.833.013.i180, 1
  %94 = getelementptr i32, ptr %.200, i64 %.833.013.i180
  %.960.i182 = load i32, ptr %94, align 4, !noalias !532
  %.966.not.i183 = icmp eq i32 %.960.i182, 0
  br i1 %.966.not.i183, label %B630.i196, label %B498.preheader.i184

B498.preheader.i184:                              ; preds = %B442.if.i179
  %.961.i185 = zext i32 %.960.i182 to i64
  %.972.i186 = shl nsw i64 %.833.013.i180, 5
  br label %B498.i187

B386:                                             ; preds = %B387, %entry
  %empty.3.0.lcssa = phi i64 [ 0, %entry ], [ %empty.4.1, %B387 ]
  store i64 %empty.3.0.lcssa, ptr %retptr, align 8
  ret void

B387:                                             ; preds = %B630.i196, %B630.i, %B568.i199, %B568.i, %B442.preheader.i178, %B228.preheader.thread.i157, %B228.preheader.thread23.i210, %B114.i235, %B442.preheader.i, %B228.preheader.thread.i, %B228.preheader.thread23.i, %B114.i
  %.317.pn.in.sroa.speculated = phi i64 [ 0, %B568.i199 ], [ 1, %B442.preheader.i ], [ 1, %B630.i ], [ 1, %B114.i ], [ 1, %B228.preheader.thread23.i ], [ 1, %B228.preheader.thread.i ], [ 1, %B442.preheader.i178 ], [ 0, %B568.i ], [ 1, %B114.i235 ], [ 1, %B228.preheader.thread23.i210 ], [ 1, %B228.preheader.thread.i157 ], [ 1, %B630.i196 ]
  %empty.4.1 = add nuw nsw i64 %.317.pn.in.sroa.speculated, %empty.3.09
  %exitcond.not = icmp eq i64 %.123, %arg.rows
  br i1 %exitcond.not, label %B386, label %B64.if

B64.if:                                           ; preds = %B64.if.lr.ph, %B387
  %empty.3.09 = phi i64 [ 0, %B64.if.lr.ph ], [ %empty.4.1, %B387 ]
  %.52.08 = phi i64 [ 0, %B64.if.lr.ph ], [ %.123, %B387 ]
  %.123 = add nuw nsw i64 %.52.08, 1
  %.150 = mul i64 %.148, %.52.08
  %.152 = add nsw i64 %.150, %arg.masks
  %.200 = inttoptr i64 %.152 to ptr
  %.223 = mul i64 %.221, %.52.08
  %.236 = add nsw i64 %.223, %arg.scores
  %.243 = inttoptr i64 %.236 to ptr
  %.265 = add nsw i64 %.223, %arg.out
  %.274 = inttoptr i64 %.265 to ptr
  br i1 %.231, label %B158, label %B272
}

declare i64 @llvm.cttz.i64(i64, i1 immarg)

define internal fastcc void @bits.mark_around(ptr noalias nonnull writeonly %retptr, i64 %arg.marked, i64 %arg.size, i64 %arg.nodes, i64 %arg.count, i64 %arg.parent, i64 %arg.first) unnamed_addr {
entry:
  %.15 = inttoptr i64 %arg.marked to ptr
  %.40 = inttoptr i64 %arg.nodes to ptr
  %.71 = inttoptr i64 %arg.parent to ptr
  %.91 = add nsw i64 %arg.size, 1
  %.97 = inttoptr i64 %arg.first to ptr
  %.2046.not = icmp slt i64 %arg.count, 1
  br i1 %.2046.not, label %B638, label %B168.if

B226:                                             ; preds = %B168.if
  %.276 = zext i32 %.275 to i64
  %.316 = getelementptr i8, ptr %.15, i64 %.276
  %.317 = load i8, ptr %.316, align 1
  %0 = and i8 %.317, 1
  %.322 = icmp eq i8 %0, 0
  br i1 %.322, label %B256, label %B372

B256:                                             ; preds = %B226, %B342
  %.357 = phi i8 [ %.465, %B342 ], [ %.317, %B226 ]
  %node.3.2 = phi i64 [ %.425, %B342 ], [ %.276, %B226 ]
  %.356 = getelementptr i8, ptr %.15, i64 %node.3.2
  %1 = or i8 %.357, 1
  store i8 %1, ptr %.356, align 1
  %.421 = getelementptr i32, ptr %.71, i64 %node.3.2
  %.422 = load i32, ptr %.421, align 4
  %.430 = icmp sgt i32 %.422, -1
  br i1 %.430, label %B342, label %B372.loopexit

B342:                                             ; preds = %B256
  %.425 = zext i32 %.422 to i64
  %.464 = getelementptr i8, ptr %.15, i64 %.425
  %.465 = load i8, ptr %.464, align 1
  %2 = and i8 %.465, 1
  %.470 = icmp eq i8 %2, 0
  br i1 %.470, label %B256, label %B372.loopexit

B372.loopexit:                                    ; preds = %B256, %B342
  %.513.pre = load i32, ptr %10, align 4
  br label %B372

B372:                                             ; preds = %B372.loopexit, %B226, %B168.if
  %.513 = phi i32 [ %.513.pre, %B372.loopexit ], [ %.275, %B226 ], [ %.275, %B168.if ]
  %.516 = sext i32 %.513 to i64
  %.534 = icmp slt i32 %.513, 0
  %.535 = select i1 %.534, i64 %arg.size, i64 0
  %3 = getelementptr i8, ptr %.15, i64 %.535
  %.549 = getelementptr i8, ptr %3, i64 %.516
  %.550 = load i8, ptr %.549, align 1
  %4 = and i8 %.550, 2
  %.553 = icmp eq i8 %4, 0
  br i1 %.553, label %B444, label %B636

B444:                                             ; preds = %B372
  %.556 = add nsw i64 %.516, 1
  br label %B470

B470:                                             ; preds = %B444, %B540
  %high.2.2 = phi i64 [ %.556, %B444 ], [ %.821, %B540 ]
  %low.2.2 = phi i64 [ %.516, %B444 ], [ %.789, %B540 ]
  %.609 = sub nsw i64 %high.2.2, %low.2.2
  %.6523.not = icmp slt i64 %.609, 1
  br i1 %.6523.not, label %B540, label %B502.if.preheader

B502.if.preheader:                                ; preds = %B470
  %.neg = add nsw i64 %low.2.2, 1
  %xtraiter = and i64 %.609, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %B502.if.prol.loopexit, label %B502.if.prol

B502.if.prol:                                     ; preds = %B502.if.preheader
  %.661.prol = add nsw i64 %.609, -1
  %.665.prol = add nsw i64 %low.2.2, 1
  %.703.prol = icmp slt i64 %low.2.2, 0
  %.704.prol = select i1 %.703.prol, i64 %arg.size, i64 0
  %5 = getelementptr i8, ptr %.15, i64 %low.2.2
  %.718.prol = getelementptr i8, ptr %5, i64 %.704.prol
  %.719.prol = load i8, ptr %.718.prol, align 1
  %6 = or i8 %.719.prol, 2
  store i8 %6, ptr %.718.prol, align 1
  br label %B502.if.prol.loopexit

B502.if.prol.loopexit:                            ; preds = %B502.if.prol, %B502.if.preheader
  %.599.05.unr = phi i64 [ %.609, %B502.if.preheader ], [ %.661.prol, %B502.if.prol ]
  %.596.04.unr = phi i64 [ %low.2.2, %B502.if.preheader ], [ %.665.prol, %B502.if.prol ]
  %7 = icmp eq i64 %high.2.2, %.neg
  br i1 %7, label %B540, label %B502.if

B540:                                             ; preds = %B502.if.prol.loopexit, %B502.if, %B470
  %.772 = icmp slt i64 %low.2.2, 0
  %.773 = select i1 %.772, i64 %.91, i64 0
  %8 = getelementptr i32, ptr %.97, i64 %low.2.2
  %.787 = getelementptr i32, ptr %8, i64 %.773
  %.788 = load i32, ptr %.787, align 4
  %.789 = sext i32 %.788 to i64
  %.804 = icmp slt i64 %high.2.2, 0
  %.805 = select i1 %.804, i64 %.91, i64 0
  %9 = getelementptr i32, ptr %.97, i64 %high.2.2
  %.819 = getelementptr i32, ptr %9, i64 %.805
  %.820 = load i32, ptr %.819, align 4
  %.821 = sext i32 %.820 to i64
  %.826 = icmp slt i32 %.788, %.820
  br i1 %.826, label %B470, label %B636

B636:                                             ; preds = %B540, %B372
  %exitcond.not = icmp eq i64 %arg.count, %.217
  br i1 %exitcond.not, label %B638, label %B168.if

B638:                                             ; preds = %B636, %entry
  store i64 0, ptr %retptr, align 8
  ret void

B168.if:                                          ; preds = %entry, %B636
  %.146.07 = phi i64 [ %.217, %B636 ], [ 0, %entry ]
  %.217 = add nuw nsw i64 %.146.07, 1
  %10 = getelementptr i32, ptr %.40, i64 %.146.07
  %.275 = load i32, ptr %10, align 4
  %.281 = icmp sgt i32 %.275, -1
  br i1 %.281, label %B226, label %B372

B502.if:                                          ; preds = %B502.if.prol.loopexit, %B502.if
  %.599.05 = phi i64 [ %.661.1, %B502.if ], [ %.599.05.unr, %B502.if.prol.loopexit ]
  %.596.04 = phi i64 [ %.665.1, %B502.if ], [ %.596.04.unr, %B502.if.prol.loopexit ]
  %.703 = icmp slt i64 %.596.04, 0
  %.704 = select i1 %.703, i64 %arg.size, i64 0
  %11 = getelementptr i8, ptr %.15, i64 %.596.04
  %.718 = getelementptr i8, ptr %11, i64 %.704
  %.719 = load i8, ptr %.718, align 1
  %12 = or i8 %.719, 2
  store i8 %12, ptr %.718, align 1
  %.661.1 = add nsw i64 %.599.05, -2
  %.665.1 = add nsw i64 %.596.04, 2
  %.703.1 = icmp slt i64 %.596.04, -1
  %.704.1 = select i1 %.703.1, i64 %arg.size, i64 0
  %13 = getelementptr i8, ptr %.15, i64 %.596.04
  %14 = getelementptr i8, ptr %13, i64 1
  %.718.1 = getelementptr i8, ptr %14, i64 %.704.1
  %.719.1 = load i8, ptr %.718.1, align 1
  %15 = or i8 %.719.1, 2
  store i8 %15, ptr %.718.1, align 1
  %.652.1 = icmp sgt i64 %.599.05, 2
  br i1 %.652.1, label %B502.if, label %B540
}

define internal fastcc void @bits.weigh(ptr noalias nonnull writeonly %retptr, i64 %arg.byte, i64 %arg.parent, i64 %arg.size, i64 %arg.sizes, i64 %arg.weight) unnamed_addr {
entry:
  %.17 = inttoptr i64 %arg.byte to ptr
  %.43 = inttoptr i64 %arg.parent to ptr
  %.75 = inttoptr i64 %arg.sizes to ptr
  %.100 = inttoptr i64 %arg.weight to ptr
  %.163 = add i64 %arg.size, -1
  %.2081.not = icmp slt i64 %.163, 1
  br i1 %.2081.not, label %B318, label %B190.if

B318:                                             ; preds = %B190.if, %entry
  store i64 0, ptr %retptr, align 8
  ret void

B190.if:                                          ; preds = %entry, %B190.if
  %.150.02 = phi i64 [ %.221, %B190.if ], [ 1, %entry ]
  %.221 = add nuw i64 %.150.02, 1
  %.247 = sub nsw i64 %arg.size, %.150.02
  %.261 = icmp slt i64 %.247, 0
  %.262 = select i1 %.261, i64 %arg.size, i64 0
  %.263 = add i64 %.262, %.247
  %.276 = getelementptr i32, ptr %.43, i64 %.263
  %.277 = load i32, ptr %.276, align 4
  %.279 = sext i32 %.277 to i64
  %.292 = icmp slt i32 %.277, 0
  %.293 = select i1 %.292, i64 %arg.size, i64 0
  %0 = getelementptr i64, ptr %.75, i64 %.293
  %.307 = getelementptr i64, ptr %0, i64 %.279
  %.308 = load i64, ptr %.307, align 8
  %.337 = getelementptr i64, ptr %.75, i64 %.263
  %.338 = load i64, ptr %.337, align 8
  %.339 = add nsw i64 %.338, %.308
  store i64 %.339, ptr %.307, align 8
  %.399 = getelementptr i8, ptr %.17, i64 %.263
  %.400 = load i8, ptr %.399, align 1
  %.402 = zext i8 %.400 to i64
  %.427 = getelementptr i64, ptr %.100, i64 %.402
  %.428 = load i64, ptr %.427, align 8
  %.458 = load i64, ptr %.337, align 8
  %.459 = add nsw i64 %.458, %.428
  store i64 %.459, ptr %.427, align 8
  %exitcond.not = icmp eq i64 %.221, %arg.size
  br i1 %exitcond.not, label %B318, label %B190.if
}

define internal fastcc void @bits.characters(ptr noalias nonnull writeonly %retptr, i64 %arg.sets, i64 %arg.tokens, i64 %arg.spelling, i64 %arg.spelled, i64 %arg.start) unnamed_addr {
entry:
  %.17 = inttoptr i64 %arg.sets to ptr
  %.43 = inttoptr i64 %arg.spelled to ptr
  %0 = tail call i64 @llvm.smin.i64(i64 %arg.tokens, i64 -1)
  %1 = getelementptr i32, ptr %.43, i64 %arg.tokens
  %2 = getelementptr i32, ptr %1, i64 %0
  %.97 = getelementptr i8, ptr %2, i64 4
  %.98 = load i32, ptr %.97, align 4
  %.99 = sext i32 %.98 to i64
  %.105 = inttoptr i64 %arg.spelling to ptr
  %.2096.not = icmp slt i64 %arg.tokens, 1
  br i1 %.2096.not, label %B402, label %B180.if

B180.loopexit:                                    ; preds = %B398, %B180.if
  %exitcond.not = icmp eq i64 %arg.tokens, %.222
  br i1 %exitcond.not, label %B402, label %B180.if

B310:                                             ; preds = %B252.if
  %.464 = zext i8 %.463 to i64
  %.474 = lshr i64 %.464, 6
  %gep = getelementptr i64, ptr %5, i64 %.474
  %.505 = load i64, ptr %gep, align 8
  %.507 = and i64 %.464, 63
  %.510 = shl nuw i64 1, %.507
  %.511 = or i64 %.505, %.510
  store i64 %.511, ptr %gep, align 8
  br label %B398

B398:                                             ; preds = %B310, %B252.if
  %.396 = icmp ugt i64 %.343.05, 1
  br i1 %.396, label %B252.if, label %B180.loopexit

B402:                                             ; preds = %B180.loopexit, %entry
  store i64 0, ptr %retptr, align 8
  ret void

B180.if:                                          ; preds = %entry, %B180.loopexit
  %.151.07 = phi i64 [ %.222, %B180.loopexit ], [ 0, %entry ]
  %.222 = add nuw nsw i64 %.151.07, 1
  %3 = getelementptr i32, ptr %.43, i64 %.151.07
  %.280 = load i32, ptr %3, align 4
  %.282 = sext i32 %.280 to i64
  %.283 = add nsw i64 %arg.start, %.282
  %4 = getelementptr i8, ptr %3, i64 4
  %.315 = load i32, ptr %4, align 4
  %.316 = sext i32 %.315 to i64
  %.353 = sub i64 %.316, %.283
  %.3963.not = icmp slt i64 %.353, 1
  br i1 %.3963.not, label %B180.loopexit, label %B252.if.lr.ph

B252.if.lr.ph:                                    ; preds = %B180.if
  %.idx = shl i64 %.151.07, 4
  %5 = getelementptr i8, ptr %.17, i64 %.idx
  br label %B252.if

B252.if:                                          ; preds = %B252.if.lr.ph, %B398
  %.343.05 = phi i64 [ %.353, %B252.if.lr.ph ], [ %.405, %B398 ]
  %.340.04 = phi i64 [ %.283, %B252.if.lr.ph ], [ %.409, %B398 ]
  %.405 = add nsw i64 %.343.05, -1
  %.409 = add i64 %.340.04, 1
  %.447 = icmp slt i64 %.340.04, 0
  %.448 = select i1 %.447, i64 %.99, i64 0
  %6 = getelementptr i8, ptr %.105, i64 %.340.04
  %.462 = getelementptr i8, ptr %6, i64 %.448
  %.463 = load i8, ptr %.462, align 1
  %.469 = icmp sgt i8 %.463, -1
  br i1 %.469, label %B310, label %B398
}

define ptr @python.serve(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %raised = alloca ptr, align 8
  %enough = icmp eq i64 %n, 4
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %x0 = tail call i64 @PyLong_AsLongLong(ptr %object0)
  %odd0 = icmp eq i64 %x0, -1
  br i1 %odd0, label %ask0, label %take1

ask0:                                             ; preds = %take0
  %error0 = tail call ptr @PyErr_Occurred()
  %fine0 = icmp eq ptr %error0, null
  br i1 %fine0, label %take1, label %common.ret

take1:                                            ; preds = %ask0, %take0
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = tail call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %take1
  %error1 = tail call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %common.ret

take2:                                            ; preds = %ask1, %take1
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %x2 = tail call i64 @PyLong_AsLongLong(ptr %object2)
  %odd2 = icmp eq i64 %x2, -1
  br i1 %odd2, label %ask2, label %take3

ask2:                                             ; preds = %take2
  %error2 = tail call ptr @PyErr_Occurred()
  %fine2 = icmp eq ptr %error2, null
  br i1 %fine2, label %take3, label %common.ret

take3:                                            ; preds = %ask2, %take2
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = tail call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %run

ask3:                                             ; preds = %take3
  %error3 = tail call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %run, label %common.ret

run:                                              ; preds = %ask3, %take3
  %.sink = phi i64 [ %x3, %take3 ], [ -1, %ask3 ]
  %status2 = call fastcc i32 @entry.serve(ptr %result, ptr %raised, i64 %x0, i64 %x1, i64 %x2, i64 %.sink)
  %done = icmp eq i32 %status2, 0
  br i1 %done, label %give, label %outside

common.ret:                                       ; preds = %ask0, %ask1, %ask2, %ask3, %count, %outside, %give
  %common.ret.op = phi ptr [ %object, %give ], [ null, %outside ], [ null, %count ], [ null, %ask3 ], [ null, %ask2 ], [ null, %ask1 ], [ null, %ask0 ]
  ret ptr %common.ret.op

give:                                             ; preds = %run
  %number = load i64, ptr %result, align 8
  %object = tail call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

outside:                                          ; preds = %run
  %kind = load ptr, ptr @PyExc_IndexError, align 8
  tail call void @PyErr_SetString(ptr %kind, ptr nonnull @python.outside)
  br label %common.ret

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret
}

define ptr @python.advance(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %.280.i3 = alloca i64, align 8
  %excinfo.1.i4 = alloca ptr, align 8
  %.280.i = alloca i64, align 8
  %excinfo.1.i = alloca ptr, align 8
  %enough = icmp eq i64 %n, 4
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %x0 = tail call i64 @PyLong_AsLongLong(ptr %object0)
  %odd0 = icmp eq i64 %x0, -1
  br i1 %odd0, label %ask0, label %take1

ask0:                                             ; preds = %take0
  %error0 = tail call ptr @PyErr_Occurred()
  %fine0 = icmp eq ptr %error0, null
  br i1 %fine0, label %take1, label %common.ret

take1:                                            ; preds = %ask0, %take0
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = tail call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %take1
  %error1 = tail call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %common.ret

take2:                                            ; preds = %ask1, %take1
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %x2 = tail call i64 @PyLong_AsLongLong(ptr %object2)
  %odd2 = icmp eq i64 %x2, -1
  br i1 %odd2, label %ask2, label %take3

ask2:                                             ; preds = %take2
  %error2 = tail call ptr @PyErr_Occurred()
  %fine2 = icmp eq ptr %error2, null
  br i1 %fine2, label %take3, label %common.ret

take3:                                            ; preds = %ask2, %take2
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = tail call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %take3.split

take3.split:                                      ; preds = %take3
  %.17.i = inttoptr i64 %x0 to ptr
  %.38.i = and i64 %x1, 4294967295
  %1 = and i64 %x1, 4294967296
  %.50.not.i = icmp eq i64 %1, 0
  br i1 %.50.not.i, label %B86.i, label %entry.advance.exit

B86.i:                                            ; preds = %take3.split
  %.53.i = ashr i64 %x1, 33
  %.54.i = icmp sgt i64 %.53.i, -1
  br i1 %.54.i, label %B108.i, label %entry.advance.exit

B108.i:                                           ; preds = %B86.i
  %.87.i = getelementptr i8, ptr %.17.i, i64 920
  %.88.i = load i64, ptr %.87.i, align 8, !noalias !541
  %.90.not.i = icmp sgt i64 %.53.i, %.88.i
  br i1 %.90.not.i, label %entry.advance.exit, label %B146.i

B146.i:                                           ; preds = %B108.i
  %.137.i = getelementptr i8, ptr %.17.i, i64 128
  %.138.i = load i64, ptr %.137.i, align 8, !noalias !541
  %.140.not.i = icmp slt i64 %.38.i, %.138.i
  %.143.i = icmp sgt i64 %x2, -1
  %or.cond175.i = and i1 %.143.i, %.140.not.i
  br i1 %or.cond175.i, label %B202.i, label %entry.advance.exit

B202.i:                                           ; preds = %B146.i
  %.178.i = getelementptr i8, ptr %.17.i, i64 592
  %.179.i = load i64, ptr %.178.i, align 8, !noalias !541
  %.180.i = add nsw i64 %.179.i, -1
  %.182.i = icmp slt i64 %x2, %.180.i
  br i1 %.182.i, label %B264.i, label %entry.advance.exit

B264.i:                                           ; preds = %B202.i
  %.250.i = getelementptr i8, ptr %.17.i, i64 832
  %.251.i = load i64, ptr %.250.i, align 8, !noalias !541
  %.252.i = icmp eq i64 %.251.i, 0
  %.255.i = icmp ne i64 %x3, 0
  %or.cond.i = or i1 %.255.i, %.252.i
  br i1 %or.cond.i, label %B308.i, label %entry.advance.exit

B308.i:                                           ; preds = %B264.i
  %.271.i = icmp ugt i64 %x1, 8589934591
  %.275.i = zext i1 %.271.i to i64
  store i64 0, ptr %.280.i, align 8, !noalias !541
  %.286.i = call fastcc i32 @tokens.advanced(ptr %.280.i, ptr %excinfo.1.i, ptr nonnull %.17.i, i64 %.38.i, i64 %x2, i64 %.275.i, i64 %x3)
  %.288.not.i = icmp eq i32 %.286.i, 0
  br i1 %.288.not.i, label %B308.endif.i, label %entry.advance.exit, !prof !4

B308.endif.i:                                     ; preds = %B308.i
  %.296.i = load i64, ptr %.280.i, align 8, !noalias !541
  %.320.i = icmp eq i64 %.296.i, -6
  %"$phi444.0.2.0.i" = select i1 %.320.i, i64 -2, i64 %.296.i
  br label %entry.advance.exit

entry.advance.exit:                               ; preds = %B308.i, %B264.i, %take3.split, %B86.i, %B108.i, %B146.i, %B202.i, %B308.endif.i
  %result.1 = phi i64 [ -2, %take3.split ], [ %"$phi444.0.2.0.i", %B308.endif.i ], [ -3, %B264.i ], [ -2, %B202.i ], [ -2, %B146.i ], [ -2, %B108.i ], [ -2, %B86.i ], [ undef, %B308.i ]
  %common.ret.op.i = phi i32 [ 0, %take3.split ], [ 0, %B308.endif.i ], [ 0, %B264.i ], [ 0, %B202.i ], [ 0, %B146.i ], [ 0, %B108.i ], [ 0, %B86.i ], [ 1, %B308.i ]
  br label %run

ask3:                                             ; preds = %take3
  %error3 = tail call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %ask3.split, label %common.ret

ask3.split:                                       ; preds = %ask3
  %.17.i5 = inttoptr i64 %x0 to ptr
  %.38.i6 = and i64 %x1, 4294967295
  %2 = and i64 %x1, 4294967296
  %.50.not.i7 = icmp eq i64 %2, 0
  br i1 %.50.not.i7, label %B86.i10, label %entry.advance.exit45

B86.i10:                                          ; preds = %ask3.split
  %.53.i11 = ashr i64 %x1, 33
  %.54.i12 = icmp sgt i64 %.53.i11, -1
  br i1 %.54.i12, label %B108.i13, label %entry.advance.exit45

B108.i13:                                         ; preds = %B86.i10
  %.87.i14 = getelementptr i8, ptr %.17.i5, i64 920
  %.88.i15 = load i64, ptr %.87.i14, align 8, !noalias !545
  %.90.not.i16 = icmp sgt i64 %.53.i11, %.88.i15
  br i1 %.90.not.i16, label %entry.advance.exit45, label %B146.i17

B146.i17:                                         ; preds = %B108.i13
  %.137.i18 = getelementptr i8, ptr %.17.i5, i64 128
  %.138.i19 = load i64, ptr %.137.i18, align 8, !noalias !545
  %.140.not.i20 = icmp slt i64 %.38.i6, %.138.i19
  %.143.i21 = icmp sgt i64 %x2, -1
  %or.cond175.i22 = and i1 %.143.i21, %.140.not.i20
  br i1 %or.cond175.i22, label %B202.i23, label %entry.advance.exit45

B202.i23:                                         ; preds = %B146.i17
  %.178.i24 = getelementptr i8, ptr %.17.i5, i64 592
  %.179.i25 = load i64, ptr %.178.i24, align 8, !noalias !545
  %.180.i26 = add nsw i64 %.179.i25, -1
  %.182.i27 = icmp slt i64 %x2, %.180.i26
  br i1 %.182.i27, label %B264.i28, label %entry.advance.exit45

B264.i28:                                         ; preds = %B202.i23
  %.271.i35 = icmp ugt i64 %x1, 8589934591
  %.275.i36 = zext i1 %.271.i35 to i64
  store i64 0, ptr %.280.i3, align 8, !noalias !545
  %.286.i37 = call fastcc i32 @tokens.advanced(ptr %.280.i3, ptr %excinfo.1.i4, ptr nonnull %.17.i5, i64 %.38.i6, i64 %x2, i64 %.275.i36, i64 -1)
  %.288.not.i38 = icmp eq i32 %.286.i37, 0
  br i1 %.288.not.i38, label %B308.endif.i41, label %entry.advance.exit45, !prof !4

B308.endif.i41:                                   ; preds = %B264.i28
  %.296.i42 = load i64, ptr %.280.i3, align 8, !noalias !545
  %.320.i43 = icmp eq i64 %.296.i42, -6
  %"$phi444.0.2.0.i44" = select i1 %.320.i43, i64 -2, i64 %.296.i42
  br label %entry.advance.exit45

entry.advance.exit45:                             ; preds = %B264.i28, %ask3.split, %B86.i10, %B108.i13, %B146.i17, %B202.i23, %B308.endif.i41
  %result.2 = phi i64 [ -2, %ask3.split ], [ %"$phi444.0.2.0.i44", %B308.endif.i41 ], [ -2, %B202.i23 ], [ -2, %B146.i17 ], [ -2, %B108.i13 ], [ -2, %B86.i10 ], [ undef, %B264.i28 ]
  %common.ret.op.i9 = phi i32 [ 0, %ask3.split ], [ 0, %B308.endif.i41 ], [ 0, %B202.i23 ], [ 0, %B146.i17 ], [ 0, %B108.i13 ], [ 0, %B86.i10 ], [ 1, %B264.i28 ]
  br label %run

run:                                              ; preds = %entry.advance.exit45, %entry.advance.exit
  %result.0 = phi i64 [ %result.2, %entry.advance.exit45 ], [ %result.1, %entry.advance.exit ]
  %phi.call = phi i32 [ %common.ret.op.i9, %entry.advance.exit45 ], [ %common.ret.op.i, %entry.advance.exit ]
  %done = icmp eq i32 %phi.call, 0
  br i1 %done, label %give, label %outside

common.ret:                                       ; preds = %ask0, %ask1, %ask2, %ask3, %count, %outside, %give
  %common.ret.op = phi ptr [ %object, %give ], [ null, %outside ], [ null, %count ], [ null, %ask3 ], [ null, %ask2 ], [ null, %ask1 ], [ null, %ask0 ]
  ret ptr %common.ret.op

give:                                             ; preds = %run
  %object = tail call ptr @PyLong_FromLongLong(i64 %result.0)
  br label %common.ret

outside:                                          ; preds = %run
  %kind = load ptr, ptr @PyExc_IndexError, align 8
  tail call void @PyErr_SetString(ptr %kind, ptr nonnull @python.outside)
  br label %common.ret

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret
}

define ptr @python.set_bits(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view2 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view2, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 4
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %seen0
  %error1 = call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %fail

take2:                                            ; preds = %ask1, %seen0
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %got2 = call i32 @PyObject_GetBuffer(ptr %object2, ptr nonnull %view2, i32 0)
  %fine2 = icmp eq i32 %got2, 0
  br i1 %fine2, label %seen2, label %fail

seen2:                                            ; preds = %take2
  %x2 = load i64, ptr %view2, align 8
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %seen2.split

seen2.split:                                      ; preds = %seen2
  %.13.i = inttoptr i64 %x0 to ptr
  %.38.i = inttoptr i64 %x2 to ptr
  %.1451.not.i = icmp slt i64 %x3, 1
  br i1 %.1451.not.i, label %run, label %B98.if.i

B156.i:                                           ; preds = %B98.if.i
  %.221.i = lshr i64 %.213.i, 5
  %.250.i = getelementptr i32, ptr %.13.i, i64 %.221.i
  %.251.i = load i32, ptr %.250.i, align 4, !noalias !549
  %.254.i = and i32 %.212.i, 31
  %.260.i = shl nuw i32 1, %.254.i
  %.262.i = or i32 %.251.i, %.260.i
  store i32 %.262.i, ptr %.250.i, align 4, !noalias !549
  br label %B377.i

B260.i:                                           ; preds = %B98.if.i
  %.296.i = xor i64 %.213.i, -1
  %.299.i = lshr i64 %.296.i, 5
  %.328.i = getelementptr i32, ptr %.13.i, i64 %.299.i
  %.329.i = load i32, ptr %.328.i, align 4, !noalias !549
  %.332.i = and i64 %.296.i, 31
  %.335.i = shl nuw nsw i64 1, %.332.i
  %1 = trunc i64 %.335.i to i32
  %2 = xor i32 %1, -1
  %.368.i = and i32 %.329.i, %2
  store i32 %.368.i, ptr %.328.i, align 4, !noalias !549
  br label %B377.i

B377.i:                                           ; preds = %B260.i, %B156.i
  %exitcond.not.i = icmp eq i64 %x3, %.158.i
  br i1 %exitcond.not.i, label %run, label %B98.if.i

B98.if.i:                                         ; preds = %seen2.split, %B377.i
  %.87.02.i = phi i64 [ %.158.i, %B377.i ], [ 0, %seen2.split ]
  %.158.i = add nuw nsw i64 %.87.02.i, 1
  %3 = getelementptr i32, ptr %.38.i, i64 %.87.02.i
  %.212.i = load i32, ptr %3, align 4, !noalias !549
  %.213.i = sext i32 %.212.i to i64
  %.218.i = icmp sgt i32 %.212.i, -1
  br i1 %.218.i, label %B156.i, label %B260.i

ask3:                                             ; preds = %seen2
  %error3 = call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %run, label %fail

run:                                              ; preds = %B377.i, %ask3, %seen2.split
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  %object = call ptr @PyLong_FromLongLong(i64 0)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %run
  %common.ret.op = phi ptr [ %object, %run ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %ask3, %take2, %ask1, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  br label %common.ret
}

define ptr @python.keep_allowed(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %enough = icmp eq i64 %n, 8
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %x0 = tail call i64 @PyLong_AsLongLong(ptr %object0)
  %odd0 = icmp eq i64 %x0, -1
  br i1 %odd0, label %ask0, label %take1

ask0:                                             ; preds = %take0
  %error0 = tail call ptr @PyErr_Occurred()
  %fine0 = icmp eq ptr %error0, null
  br i1 %fine0, label %take1, label %common.ret

take1:                                            ; preds = %ask0, %take0
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = tail call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %take1
  %error1 = tail call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %common.ret

take2:                                            ; preds = %ask1, %take1
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %x2 = tail call i64 @PyLong_AsLongLong(ptr %object2)
  %odd2 = icmp eq i64 %x2, -1
  br i1 %odd2, label %ask2, label %take3

ask2:                                             ; preds = %take2
  %error2 = tail call ptr @PyErr_Occurred()
  %fine2 = icmp eq ptr %error2, null
  br i1 %fine2, label %take3, label %common.ret

take3:                                            ; preds = %ask2, %take2
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = tail call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %take4

ask3:                                             ; preds = %take3
  %error3 = tail call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %take4, label %common.ret

take4:                                            ; preds = %ask3, %take3
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %x4 = tail call i64 @PyLong_AsLongLong(ptr %object4)
  %odd4 = icmp eq i64 %x4, -1
  br i1 %odd4, label %ask4, label %take5

ask4:                                             ; preds = %take4
  %error4 = tail call ptr @PyErr_Occurred()
  %fine4 = icmp eq ptr %error4, null
  br i1 %fine4, label %take5, label %common.ret

take5:                                            ; preds = %ask4, %take4
  %place5 = getelementptr i8, ptr %args, i64 40
  %object5 = load ptr, ptr %place5, align 8
  %x5 = tail call i64 @PyLong_AsLongLong(ptr %object5)
  %odd5 = icmp eq i64 %x5, -1
  br i1 %odd5, label %ask5, label %take6

ask5:                                             ; preds = %take5
  %error5 = tail call ptr @PyErr_Occurred()
  %fine5 = icmp eq ptr %error5, null
  br i1 %fine5, label %take6, label %common.ret

take6:                                            ; preds = %ask5, %take5
  %place6 = getelementptr i8, ptr %args, i64 48
  %object6 = load ptr, ptr %place6, align 8
  %x6 = tail call i64 @PyLong_AsLongLong(ptr %object6)
  %odd6 = icmp eq i64 %x6, -1
  br i1 %odd6, label %ask6, label %take7

ask6:                                             ; preds = %take6
  %error6 = tail call ptr @PyErr_Occurred()
  %fine6 = icmp eq ptr %error6, null
  br i1 %fine6, label %take7, label %common.ret

take7:                                            ; preds = %ask6, %take6
  %place7 = getelementptr i8, ptr %args, i64 56
  %object7 = load ptr, ptr %place7, align 8
  %x7 = tail call i64 @PyLong_AsLongLong(ptr %object7)
  %odd7 = icmp eq i64 %x7, -1
  br i1 %odd7, label %ask7, label %give

ask7:                                             ; preds = %take7
  %error7 = tail call ptr @PyErr_Occurred()
  %fine7 = icmp eq ptr %error7, null
  br i1 %fine7, label %give, label %common.ret

common.ret:                                       ; preds = %ask0, %ask1, %ask2, %ask3, %ask4, %ask5, %ask6, %ask7, %count, %give
  %common.ret.op = phi ptr [ %object, %give ], [ null, %ask0 ], [ null, %count ], [ null, %ask7 ], [ null, %ask6 ], [ null, %ask5 ], [ null, %ask4 ], [ null, %ask3 ], [ null, %ask2 ], [ null, %ask1 ]
  ret ptr %common.ret.op

give:                                             ; preds = %ask7, %take7
  %x7.sink = phi i64 [ %x7, %take7 ], [ -1, %ask7 ]
  call fastcc void @bits.keep_allowed(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %x4, i64 %x5, i64 %x6, i64 %x7.sink)
  %number = load i64, ptr %result, align 8
  %object = tail call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret
}

define ptr @python.mark_around(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view2 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view2, i8 0, i64 80, i1 false)
  %view4 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view4, i8 0, i64 80, i1 false)
  %view5 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view5, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 6
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %seen0
  %error1 = call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %fail

take2:                                            ; preds = %ask1, %seen0
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %got2 = call i32 @PyObject_GetBuffer(ptr %object2, ptr nonnull %view2, i32 0)
  %fine2 = icmp eq i32 %got2, 0
  br i1 %fine2, label %seen2, label %fail

seen2:                                            ; preds = %take2
  %x2 = load i64, ptr %view2, align 8
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %x3 = call i64 @PyLong_AsLongLong(ptr %object3)
  %odd3 = icmp eq i64 %x3, -1
  br i1 %odd3, label %ask3, label %take4

ask3:                                             ; preds = %seen2
  %error3 = call ptr @PyErr_Occurred()
  %fine3 = icmp eq ptr %error3, null
  br i1 %fine3, label %take4, label %fail

take4:                                            ; preds = %ask3, %seen2
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %got4 = call i32 @PyObject_GetBuffer(ptr %object4, ptr nonnull %view4, i32 0)
  %fine4 = icmp eq i32 %got4, 0
  br i1 %fine4, label %seen4, label %fail

seen4:                                            ; preds = %take4
  %x4 = load i64, ptr %view4, align 8
  %place5 = getelementptr i8, ptr %args, i64 40
  %object5 = load ptr, ptr %place5, align 8
  %got5 = call i32 @PyObject_GetBuffer(ptr %object5, ptr nonnull %view5, i32 0)
  %fine5 = icmp eq i32 %got5, 0
  br i1 %fine5, label %seen5, label %fail

seen5:                                            ; preds = %seen4
  %x5 = load i64, ptr %view5, align 8
  call fastcc void @bits.mark_around(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %x4, i64 %x5)
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view4)
  call void @PyBuffer_Release(ptr nonnull %view5)
  %number = load i64, ptr %result, align 8
  %object = call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %seen5
  %common.ret.op = phi ptr [ %object, %seen5 ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %seen4, %take4, %ask3, %take2, %ask1, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view4)
  call void @PyBuffer_Release(ptr nonnull %view5)
  br label %common.ret
}

define ptr @python.weigh(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view1 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view1, i8 0, i64 80, i1 false)
  %view3 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view3, i8 0, i64 80, i1 false)
  %view4 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view4, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 5
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %got1 = call i32 @PyObject_GetBuffer(ptr %object1, ptr nonnull %view1, i32 0)
  %fine1 = icmp eq i32 %got1, 0
  br i1 %fine1, label %seen1, label %fail

seen1:                                            ; preds = %seen0
  %x1 = load i64, ptr %view1, align 8
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %x2 = call i64 @PyLong_AsLongLong(ptr %object2)
  %odd2 = icmp eq i64 %x2, -1
  br i1 %odd2, label %ask2, label %take3

ask2:                                             ; preds = %seen1
  %error2 = call ptr @PyErr_Occurred()
  %fine2 = icmp eq ptr %error2, null
  br i1 %fine2, label %take3, label %fail

take3:                                            ; preds = %ask2, %seen1
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %got3 = call i32 @PyObject_GetBuffer(ptr %object3, ptr nonnull %view3, i32 0)
  %fine3 = icmp eq i32 %got3, 0
  br i1 %fine3, label %seen3, label %fail

seen3:                                            ; preds = %take3
  %x3 = load i64, ptr %view3, align 8
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %got4 = call i32 @PyObject_GetBuffer(ptr %object4, ptr nonnull %view4, i32 0)
  %fine4 = icmp eq i32 %got4, 0
  br i1 %fine4, label %seen4, label %fail

seen4:                                            ; preds = %seen3
  %x4 = load i64, ptr %view4, align 8
  call fastcc void @bits.weigh(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %x4)
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view1)
  call void @PyBuffer_Release(ptr nonnull %view3)
  call void @PyBuffer_Release(ptr nonnull %view4)
  %number = load i64, ptr %result, align 8
  %object = call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %seen4
  %common.ret.op = phi ptr [ %object, %seen4 ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %seen3, %take3, %ask2, %seen0, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view1)
  call void @PyBuffer_Release(ptr nonnull %view3)
  call void @PyBuffer_Release(ptr nonnull %view4)
  br label %common.ret
}

define ptr @python.characters(ptr readnone %self, ptr readonly %args, i64 %n) local_unnamed_addr {
  %result = alloca i64, align 8
  %view0 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view0, i8 0, i64 80, i1 false)
  %view2 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view2, i8 0, i64 80, i1 false)
  %view3 = alloca [80 x i8], align 8
  call void @llvm.memset.p0.i64(ptr noundef nonnull align 8 dereferenceable(80) %view3, i8 0, i64 80, i1 false)
  %enough = icmp eq i64 %n, 5
  br i1 %enough, label %take0, label %count

take0:                                            ; preds = %0
  %object0 = load ptr, ptr %args, align 8
  %got0 = call i32 @PyObject_GetBuffer(ptr %object0, ptr nonnull %view0, i32 0)
  %fine0 = icmp eq i32 %got0, 0
  br i1 %fine0, label %seen0, label %fail

seen0:                                            ; preds = %take0
  %x0 = load i64, ptr %view0, align 8
  %place1 = getelementptr i8, ptr %args, i64 8
  %object1 = load ptr, ptr %place1, align 8
  %x1 = call i64 @PyLong_AsLongLong(ptr %object1)
  %odd1 = icmp eq i64 %x1, -1
  br i1 %odd1, label %ask1, label %take2

ask1:                                             ; preds = %seen0
  %error1 = call ptr @PyErr_Occurred()
  %fine1 = icmp eq ptr %error1, null
  br i1 %fine1, label %take2, label %fail

take2:                                            ; preds = %ask1, %seen0
  %place2 = getelementptr i8, ptr %args, i64 16
  %object2 = load ptr, ptr %place2, align 8
  %got2 = call i32 @PyObject_GetBuffer(ptr %object2, ptr nonnull %view2, i32 0)
  %fine2 = icmp eq i32 %got2, 0
  br i1 %fine2, label %seen2, label %fail

seen2:                                            ; preds = %take2
  %x2 = load i64, ptr %view2, align 8
  %place3 = getelementptr i8, ptr %args, i64 24
  %object3 = load ptr, ptr %place3, align 8
  %got3 = call i32 @PyObject_GetBuffer(ptr %object3, ptr nonnull %view3, i32 0)
  %fine3 = icmp eq i32 %got3, 0
  br i1 %fine3, label %seen3, label %fail

seen3:                                            ; preds = %seen2
  %x3 = load i64, ptr %view3, align 8
  %place4 = getelementptr i8, ptr %args, i64 32
  %object4 = load ptr, ptr %place4, align 8
  %x4 = call i64 @PyLong_AsLongLong(ptr %object4)
  %odd4 = icmp eq i64 %x4, -1
  br i1 %odd4, label %ask4, label %run

ask4:                                             ; preds = %seen3
  %error4 = call ptr @PyErr_Occurred()
  %fine4 = icmp eq ptr %error4, null
  br i1 %fine4, label %run, label %fail

run:                                              ; preds = %ask4, %seen3
  %.sink = phi i64 [ %x4, %seen3 ], [ -1, %ask4 ]
  call fastcc void @bits.characters(ptr %result, i64 %x0, i64 %x1, i64 %x2, i64 %x3, i64 %.sink)
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view3)
  %number = load i64, ptr %result, align 8
  %object = call ptr @PyLong_FromLongLong(i64 %number)
  br label %common.ret

common.ret:                                       ; preds = %fail, %count, %run
  %common.ret.op = phi ptr [ %object, %run ], [ null, %fail ], [ null, %count ]
  ret ptr %common.ret.op

count:                                            ; preds = %0
  %bad = tail call i32 @PyErr_BadArgument()
  br label %common.ret

fail:                                             ; preds = %ask4, %seen2, %take2, %ask1, %take0
  call void @PyBuffer_Release(ptr nonnull %view0)
  call void @PyBuffer_Release(ptr nonnull %view2)
  call void @PyBuffer_Release(ptr nonnull %view3)
  br label %common.ret
}

declare i64 @PyLong_AsLongLong(ptr) local_unnamed_addr

declare ptr @PyLong_FromLongLong(i64) local_unnamed_addr

declare ptr @PyErr_Occurred() local_unnamed_addr

declare i32 @PyErr_BadArgument() local_unnamed_addr

declare void @PyErr_SetString(ptr, ptr) local_unnamed_addr

declare i32 @PyObject_GetBuffer(ptr, ptr, i32) local_unnamed_addr

declare void @PyBuffer_Release(ptr) local_unnamed_addr

declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg)

declare i64 @llvm.smax.i64(i64, i64)



declare i32 @llvm.smax.i32(i32, i32)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.vector.reduce.or.v2i64(<2 x i64>)

declare void @llvm.assume(i1 noundef)


!0 = !{!1, !3}
!1 = distinct !{!1, !2, !"entry.walk: %retptr"}
!2 = distinct !{!2, !"entry.walk"}
!3 = distinct !{!3, !2, !"entry.walk: %excinfo"}
!4 = !{!"branch_weights", i32 99, i32 1}
!5 = !{!6, !8, !1, !3}
!6 = distinct !{!6, !7, !"classes.parted: %retptr"}
!7 = distinct !{!7, !"classes.parted"}
!8 = distinct !{!8, !7, !"classes.parted: %excinfo"}
!9 = !{!10, !6, !8, !1, !3}
!10 = distinct !{!10, !11, !"classes.widest_leaf: %retptr"}
!11 = distinct !{!11, !"classes.widest_leaf"}
!12 = !{!13, !10, !6, !8, !1, !3}
!13 = distinct !{!13, !14, !"leaves.is_split: %retptr"}
!14 = distinct !{!14, !"leaves.is_split"}
!15 = !{!16, !1, !3}
!16 = distinct !{!16, !17, !"tokens.pause: %retptr"}
!17 = distinct !{!17, !"tokens.pause"}
!18 = !{!19, !21}
!19 = distinct !{!19, !20, !"entry.results: %retptr"}
!20 = distinct !{!20, !"entry.results"}
!21 = distinct !{!21, !20, !"entry.results: %excinfo"}
!22 = !{!23, !25, !19, !21}
!23 = distinct !{!23, !24, !"classes.sliced: %retptr"}
!24 = distinct !{!24, !"classes.sliced"}
!25 = distinct !{!25, !24, !"classes.sliced: %excinfo"}
!26 = !{!"branch_weights", i32 1, i32 99}
!27 = !{!"branch_weights", i32 12545, i32 127}
!28 = !{!29, !23, !25, !19, !21}
!29 = distinct !{!29, !30, !"classes.meet_longer: %retptr"}
!30 = distinct !{!30, !"classes.meet_longer"}
!31 = distinct !{!31, !32, !33}
!32 = !{!"llvm.loop.isvectorized", i32 1}
!33 = !{!"llvm.loop.unroll.runtime.disable"}
!34 = !{!35}
!35 = distinct !{!35, !36}
!36 = distinct !{!36, !"LVerDomain"}
!37 = !{!23, !25, !19, !21, !38}
!38 = distinct !{!38, !36}
!39 = !{!38}
!40 = distinct !{!40, !32}
!41 = !{!42, !44, !23, !25, !19, !21}
!42 = distinct !{!42, !43, !"classes.after_path: %retptr"}
!43 = distinct !{!43, !"classes.after_path"}
!44 = distinct !{!44, !43, !"classes.after_path: %excinfo"}
!45 = !{!46, !48, !42, !44, !23, !25, !19, !21}
!46 = distinct !{!46, !47, !"states.read: %retptr"}
!47 = distinct !{!47, !"states.read"}
!48 = distinct !{!48, !47, !"states.read: %excinfo"}
!49 = !{!50, !23, !25, !19, !21}
!50 = distinct !{!50, !51, !"views.lacks: %retptr"}
!51 = distinct !{!51, !"views.lacks"}
!52 = !{!53, !23, !25, !19, !21}
!53 = distinct !{!53, !54, !"tokens.several: %retptr"}
!54 = distinct !{!54, !"tokens.several"}
!55 = !{!"branch_weights", i32 127, i32 1}
!56 = !{!"branch_weights", i32 0, i32 -2147483648}
!57 = !{!58}
!58 = distinct !{!58, !59}
!59 = distinct !{!59, !"LVerDomain"}
!60 = !{!23, !25, !19, !21, !61, !62}
!61 = distinct !{!61, !59}
!62 = distinct !{!62, !59}
!63 = !{!61}
!64 = !{!62}
!65 = distinct !{!65, !32}
!66 = !{!67}
!67 = distinct !{!67, !68}
!68 = distinct !{!68, !"LVerDomain"}
!69 = !{!23, !25, !19, !21, !70}
!70 = distinct !{!70, !68}
!71 = !{!70}
!72 = distinct !{!72, !32}
!73 = !{!74, !76, !19, !21}
!74 = distinct !{!74, !75, !"differences.differ: %retptr"}
!75 = distinct !{!75, !"differences.differ"}
!76 = distinct !{!76, !75, !"differences.differ: %excinfo"}
!77 = !{!78, !74, !76, !19, !21}
!78 = distinct !{!78, !79, !"views.lacks: %retptr"}
!79 = distinct !{!79, !"views.lacks"}
!80 = !{!81, !74, !76, !19, !21}
!81 = distinct !{!81, !82, !"views.lacks.2: %retptr"}
!82 = distinct !{!82, !"views.lacks.2"}
!83 = !{!84, !74, !76, !19, !21}
!84 = distinct !{!84, !85, !"states.first_time: %retptr"}
!85 = distinct !{!85, !"states.first_time"}
!86 = !{!87, !74, !76, !19, !21}
!87 = distinct !{!87, !88, !"differences.where_differ: %retptr"}
!88 = distinct !{!88, !"differences.where_differ"}
!89 = !{!90}
!90 = distinct !{!90, !91}
!91 = distinct !{!91, !"LVerDomain"}
!92 = !{!87, !74, !76, !19, !21, !93}
!93 = distinct !{!93, !91}
!94 = !{!93}
!95 = !{!96}
!96 = distinct !{!96, !97}
!97 = distinct !{!97, !"LVerDomain"}
!98 = !{!87, !74, !76, !19, !21, !99, !100}
!99 = distinct !{!99, !97}
!100 = distinct !{!100, !97}
!101 = !{!100}
!102 = !{!99}
!103 = distinct !{!103, !32}
!104 = distinct !{!104, !32}
!105 = !{!106}
!106 = distinct !{!106, !107}
!107 = distinct !{!107, !"LVerDomain"}
!108 = !{!87, !74, !76, !19, !21, !109}
!109 = distinct !{!109, !107}
!110 = !{!109}
!111 = distinct !{!111, !32}
!112 = !{!113, !74, !76, !19, !21}
!113 = distinct !{!113, !114, !"states.takes: %retptr"}
!114 = distinct !{!114, !"states.takes"}
!115 = !{!116, !74, !76, !19, !21}
!116 = distinct !{!116, !117, !"states.takes: %retptr"}
!117 = distinct !{!117, !"states.takes"}
!118 = !{!119, !121, !74, !76, !19, !21}
!119 = distinct !{!119, !120, !"differences.alike: %retptr"}
!120 = distinct !{!120, !"differences.alike"}
!121 = distinct !{!121, !120, !"differences.alike: %excinfo"}
!122 = !{!123, !125, !119, !121, !74, !76, !19, !21}
!123 = distinct !{!123, !124, !"states.only_next: %retptr"}
!124 = distinct !{!124, !"states.only_next"}
!125 = distinct !{!125, !124, !"states.only_next: %excinfo"}
!126 = !{!127, !129, !119, !121, !74, !76, !19, !21}
!127 = distinct !{!127, !128, !"states.only_next: %retptr"}
!128 = distinct !{!128, !"states.only_next"}
!129 = distinct !{!129, !128, !"states.only_next: %excinfo"}
!130 = !{!131, !74, !76, !19, !21}
!131 = distinct !{!131, !132, !"tokens.several: %retptr"}
!132 = distinct !{!132, !"tokens.several"}
!133 = !{!134, !136, !19, !21}
!134 = distinct !{!134, !135, !"classes.closed: %retptr"}
!135 = distinct !{!135, !"classes.closed"}
!136 = distinct !{!136, !135, !"classes.closed: %excinfo"}
!137 = distinct !{!137, !138}
!138 = !{!"llvm.loop.unroll.disable"}
!139 = !{!140, !142, !19, !21}
!140 = distinct !{!140, !141, !"classes.survey: %retptr"}
!141 = distinct !{!141, !"classes.survey"}
!142 = distinct !{!142, !141, !"classes.survey: %excinfo"}
!143 = !{!144, !140, !142, !19, !21}
!144 = distinct !{!144, !145, !"views.lacks.2: %retptr"}
!145 = distinct !{!145, !"views.lacks.2"}
!146 = !{!147, !140, !142, !19, !21}
!147 = distinct !{!147, !148, !"views.lacks: %retptr"}
!148 = distinct !{!148, !"views.lacks"}
!149 = !{!150, !152, !19, !21}
!150 = distinct !{!150, !151, !"tokens.walls: %retptr"}
!151 = distinct !{!151, !"tokens.walls"}
!152 = distinct !{!152, !151, !"tokens.walls: %excinfo"}
!153 = !{!154, !150, !152, !19, !21}
!154 = distinct !{!154, !155, !"views.lacks.2: %retptr"}
!155 = distinct !{!155, !"views.lacks.2"}
!156 = !{!157, !150, !152, !19, !21}
!157 = distinct !{!157, !158, !"views.lacks: %retptr"}
!158 = distinct !{!158, !"views.lacks"}
!159 = !{!160, !150, !152, !19, !21}
!160 = distinct !{!160, !161, !"states.meet: %retptr"}
!161 = distinct !{!161, !"states.meet"}
!162 = !{!163, !165, !19, !21}
!163 = distinct !{!163, !164, !"tokens.ends: %retptr"}
!164 = distinct !{!164, !"tokens.ends"}
!165 = distinct !{!165, !164, !"tokens.ends: %excinfo"}
!166 = !{!167, !163, !165, !19, !21}
!167 = distinct !{!167, !168, !"views.lacks.2: %retptr"}
!168 = distinct !{!168, !"views.lacks.2"}
!169 = !{!170, !163, !165, !19, !21}
!170 = distinct !{!170, !171, !"views.lacks: %retptr"}
!171 = distinct !{!171, !"views.lacks"}
!172 = !{!173, !175}
!173 = distinct !{!173, !174, !"entry.made: %retptr"}
!174 = distinct !{!174, !"entry.made"}
!175 = distinct !{!175, !174, !"entry.made: %excinfo"}
!176 = !{!177, !179, !173, !175}
!177 = distinct !{!177, !178, !"states.read: %retptr"}
!178 = distinct !{!178, !"states.read"}
!179 = distinct !{!179, !178, !"states.read: %excinfo"}
!180 = !{!181, !183, !173, !175}
!181 = distinct !{!181, !182, !"tokens.forced: %retptr"}
!182 = distinct !{!182, !"tokens.forced"}
!183 = distinct !{!183, !182, !"tokens.forced: %excinfo"}
!184 = !{!185, !181, !183, !173, !175}
!185 = distinct !{!185, !186, !"tokens.pause: %retptr"}
!186 = distinct !{!186, !"tokens.pause"}
!187 = !{!188, !190, !173, !175}
!188 = distinct !{!188, !189, !"tokens.run_on: %retptr"}
!189 = distinct !{!189, !"tokens.run_on"}
!190 = distinct !{!190, !189, !"tokens.run_on: %excinfo"}
!191 = !{!192, !173, !175}
!192 = distinct !{!192, !193, !"states.rehash: %retptr"}
!193 = distinct !{!193, !"states.rehash"}
!194 = !{!195, !192, !173, !175}
!195 = distinct !{!195, !196, !"states.hash_leaves: %retptr"}
!196 = distinct !{!196, !"states.hash_leaves"}
!197 = !{!198, !192, !173, !175}
!198 = distinct !{!198, !199, !"states.near_leaves: %retptr"}
!199 = distinct !{!199, !"states.near_leaves"}
!200 = !{!201}
!201 = distinct !{!201, !202, !"classes.meet_longer: %retptr"}
!202 = distinct !{!202, !"classes.meet_longer"}
!203 = distinct !{!203, !32, !33}
!204 = !{!205}
!205 = distinct !{!205, !206, !"states.meet: %retptr"}
!206 = distinct !{!206, !"states.meet"}
!207 = distinct !{!207, !32, !33}
!208 = !{!209}
!209 = distinct !{!209, !210, !"classes.widest_leaf: %retptr"}
!210 = distinct !{!210, !"classes.widest_leaf"}
!211 = !{!212, !209}
!212 = distinct !{!212, !213, !"leaves.is_split: %retptr"}
!213 = distinct !{!213, !"leaves.is_split"}
!214 = !{!215}
!215 = distinct !{!215, !216, !"views.lacks: %retptr"}
!216 = distinct !{!216, !"views.lacks"}
!217 = !{!218}
!218 = distinct !{!218, !219, !"tokens.pause: %retptr"}
!219 = distinct !{!219, !"tokens.pause"}
!220 = !{!221}
!221 = distinct !{!221, !222, !"views.lacks.2: %retptr"}
!222 = distinct !{!222, !"views.lacks.2"}
!223 = !{!224}
!224 = distinct !{!224, !225, !"tokens.pause: %retptr"}
!225 = distinct !{!225, !"tokens.pause"}
!226 = !{!227}
!227 = distinct !{!227, !228, !"states.first_time: %retptr"}
!228 = distinct !{!228, !"states.first_time"}
!229 = !{!230}
!230 = distinct !{!230, !231, !"tokens.pause: %retptr"}
!231 = distinct !{!231, !"tokens.pause"}
!232 = !{!233}
!233 = distinct !{!233, !234, !"states.takes: %retptr"}
!234 = distinct !{!234, !"states.takes"}
!235 = !{!236}
!236 = distinct !{!236, !237, !"tokens.pause: %retptr"}
!237 = distinct !{!237, !"tokens.pause"}
!238 = !{!239}
!239 = distinct !{!239, !240, !"tokens.several: %retptr"}
!240 = distinct !{!240, !"tokens.several"}
!241 = !{!242}
!242 = distinct !{!242, !243, !"views.lacks.3: %retptr"}
!243 = distinct !{!243, !"views.lacks.3"}
!244 = distinct !{!244, !32}
!245 = !{!246}
!246 = distinct !{!246, !247}
!247 = distinct !{!247, !"LVerDomain"}
!248 = !{!249, !250}
!249 = distinct !{!249, !247}
!250 = distinct !{!250, !247}
!251 = !{!250}
!252 = !{!249}
!253 = distinct !{!253, !32, !33}
!254 = !{!255}
!255 = distinct !{!255, !256, !"views.lacks.4: %retptr"}
!256 = distinct !{!256, !"views.lacks.4"}
!257 = !{!258}
!258 = distinct !{!258, !259, !"states.known_step: %retptr"}
!259 = distinct !{!259, !"states.known_step"}
!260 = !{!261, !263}
!261 = distinct !{!261, !262, !"states.only_next: %retptr"}
!262 = distinct !{!262, !"states.only_next"}
!263 = distinct !{!263, !262, !"states.only_next: %excinfo"}
!264 = !{!265, !267}
!265 = distinct !{!265, !266, !"states.target_of: %retptr"}
!266 = distinct !{!266, !"states.target_of"}
!267 = distinct !{!267, !266, !"states.target_of: %excinfo"}
!268 = distinct !{!268, !32, !33}
!269 = !{!270, !265, !267}
!270 = distinct !{!270, !271, !"views.lacks.4: %retptr"}
!271 = distinct !{!271, !"views.lacks.4"}
!272 = !{!273}
!273 = distinct !{!273, !274}
!274 = distinct !{!274, !"LVerDomain"}
!275 = !{!276}
!276 = distinct !{!276, !274}
!277 = !{!265, !267, !278, !273}
!278 = distinct !{!278, !274}
!279 = !{!278}
!280 = distinct !{!280, !32, !33}
!281 = !{!282}
!282 = distinct !{!282, !283}
!283 = distinct !{!283, !"LVerDomain"}
!284 = !{!285}
!285 = distinct !{!285, !283}
!286 = !{!265, !267, !282}
!287 = distinct !{!287, !32, !33}
!288 = distinct !{!288, !32}
!289 = !{!290}
!290 = distinct !{!290, !291}
!291 = distinct !{!291, !"LVerDomain"}
!292 = !{!265, !267, !293}
!293 = distinct !{!293, !291}
!294 = !{!293}
!295 = distinct !{!295, !32}
!296 = distinct !{!296, !32}
!297 = !{!298}
!298 = distinct !{!298, !299, !"leaves.is_split: %retptr"}
!299 = distinct !{!299, !"leaves.is_split"}
!300 = !{!301}
!301 = distinct !{!301, !302, !"views.lacks.5: %retptr"}
!302 = distinct !{!302, !"views.lacks.5"}
!303 = !{!304}
!304 = distinct !{!304, !305, !"leaves.sorted_once: %retptr"}
!305 = distinct !{!305, !"leaves.sorted_once"}
!306 = !{!307}
!307 = distinct !{!307, !308, !"leaves.is_split: %retptr"}
!308 = distinct !{!308, !"leaves.is_split"}
!309 = !{!310}
!310 = distinct !{!310, !311, !"leaves.is_split: %retptr"}
!311 = distinct !{!311, !"leaves.is_split"}
!312 = !{!313}
!313 = distinct !{!313, !314, !"leaves.visit: %retptr"}
!314 = distinct !{!314, !"leaves.visit"}
!315 = !{!316, !313}
!316 = distinct !{!316, !317, !"views.lacks.10: %retptr"}
!317 = distinct !{!317, !"views.lacks.10"}
!318 = !{!319}
!319 = distinct !{!319, !320, !"leaves.one_way_on: %retptr"}
!320 = distinct !{!320, !"leaves.one_way_on"}
!321 = !{!322}
!322 = distinct !{!322, !323, !"leaves.wider: %retptr"}
!323 = distinct !{!323, !"leaves.wider"}
!324 = !{!325}
!325 = distinct !{!325, !326, !"leaves.goes_on: %retptr"}
!326 = distinct !{!326, !"leaves.goes_on"}
!327 = !{!328}
!328 = distinct !{!328, !329, !"leaves.open_options: %retptr"}
!329 = distinct !{!329, !"leaves.open_options"}
!330 = !{!331, !328}
!331 = distinct !{!331, !332, !"leaves.past: %retptr"}
!332 = distinct !{!332, !"leaves.past"}
!333 = !{!334, !336}
!334 = distinct !{!334, !335, !"terms.after_one_round: %retptr"}
!335 = distinct !{!335, !"terms.after_one_round"}
!336 = distinct !{!336, !337, !"leaves.open_repeat: %retptr"}
!337 = distinct !{!337, !"leaves.open_repeat"}
!338 = !{!339, !341, !334, !336}
!339 = distinct !{!339, !340, !"views.lacks.15: %retptr"}
!340 = distinct !{!340, !"views.lacks.15"}
!341 = distinct !{!341, !342, !"terms.new_node: %retptr"}
!342 = distinct !{!342, !"terms.new_node"}
!343 = !{!341, !334, !336}
!344 = !{!336}
!345 = !{!346}
!346 = distinct !{!346, !347, !"leaves.open_edges: %retptr"}
!347 = distinct !{!347, !"leaves.open_edges"}
!348 = !{!349, !346}
!349 = distinct !{!349, !350, !"terms.push_tail: %retptr"}
!350 = distinct !{!350, !"terms.push_tail"}
!351 = !{!352}
!352 = distinct !{!352, !353, !"leaves.past: %retptr"}
!353 = distinct !{!353, !"leaves.past"}
!354 = !{!355}
!355 = distinct !{!355, !356, !"leaves.visit: %retptr"}
!356 = distinct !{!356, !"leaves.visit"}
!357 = !{}
!358 = !{!359, !355}
!359 = distinct !{!359, !360, !"views.lacks.10: %retptr"}
!360 = distinct !{!360, !"views.lacks.10"}
!361 = !{!362}
!362 = distinct !{!362, !363, !"leaves.sorted_once: %retptr"}
!363 = distinct !{!363, !"leaves.sorted_once"}
!364 = !{!365}
!365 = distinct !{!365, !366, !"views.lacks.6: %retptr"}
!366 = distinct !{!366, !"views.lacks.6"}
!367 = !{!368}
!368 = distinct !{!368, !366, !"views.lacks.6: %retptr:thread"}
!369 = !{!370}
!370 = distinct !{!370, !371, !"leaves.sorted_once: %retptr"}
!371 = distinct !{!371, !"leaves.sorted_once"}
!372 = !{!373}
!373 = distinct !{!373, !374, !"states.hash_leaves: %retptr"}
!374 = distinct !{!374, !"states.hash_leaves"}
!375 = !{!376}
!376 = distinct !{!376, !377, !"states.near_leaves: %retptr"}
!377 = distinct !{!377, !"states.near_leaves"}
!378 = !{!379}
!379 = distinct !{!379, !380, !"views.lacks.7: %retptr"}
!380 = distinct !{!380, !"views.lacks.7"}
!381 = !{!382}
!382 = distinct !{!382, !383, !"views.lacks.6: %retptr"}
!383 = distinct !{!383, !"views.lacks.6"}
!384 = !{!385}
!385 = distinct !{!385, !386, !"leaves.charset_of: %retptr"}
!386 = distinct !{!386, !"leaves.charset_of"}
!387 = distinct !{!387, !388}
!388 = !{!"llvm.loop.peeled.count", i32 7}
!389 = !{!390}
!390 = distinct !{!390, !391, !"views.lacks.8: %retptr"}
!391 = distinct !{!391, !"views.lacks.8"}
!392 = !{!393}
!393 = distinct !{!393, !394, !"views.lacks.9: %retptr"}
!394 = distinct !{!394, !"views.lacks.9"}
!395 = !{!396}
!396 = distinct !{!396, !397, !"views.lacks.5: %retptr"}
!397 = distinct !{!397, !"views.lacks.5"}
!398 = !{!399}
!399 = distinct !{!399, !400, !"terms.unlike_edges: %retptr"}
!400 = distinct !{!400, !"terms.unlike_edges"}
!401 = !{!402, !399}
!402 = distinct !{!402, !403, !"terms.end_of_run: %retptr"}
!403 = distinct !{!403, !"terms.end_of_run"}
!404 = !{!405, !399}
!405 = distinct !{!405, !406, !"views.lacks.11: %retptr"}
!406 = distinct !{!406, !"views.lacks.11"}
!407 = !{!408, !399}
!408 = distinct !{!408, !409, !"views.lacks.12: %retptr"}
!409 = distinct !{!409, !"views.lacks.12"}
!410 = !{!411, !399}
!411 = distinct !{!411, !412, !"views.lacks.13: %retptr"}
!412 = distinct !{!412, !"views.lacks.13"}
!413 = distinct !{!413, !32, !33}
!414 = !{!415, !399}
!415 = distinct !{!415, !416, !"terms.end_of_run: %retptr"}
!416 = distinct !{!416, !"terms.end_of_run"}
!417 = !{!418, !420, !399}
!418 = distinct !{!418, !419, !"views.lacks.15: %retptr"}
!419 = distinct !{!419, !"views.lacks.15"}
!420 = distinct !{!420, !421, !"terms.new_node: %retptr"}
!421 = distinct !{!421, !"terms.new_node"}
!422 = !{!420, !399}
!423 = !{!424, !426, !399}
!424 = distinct !{!424, !425, !"views.lacks.15: %retptr"}
!425 = distinct !{!425, !"views.lacks.15"}
!426 = distinct !{!426, !427, !"terms.new_node: %retptr"}
!427 = distinct !{!427, !"terms.new_node"}
!428 = !{!426, !399}
!429 = !{!430, !432, !399}
!430 = distinct !{!430, !431, !"views.lacks.15: %retptr"}
!431 = distinct !{!431, !"views.lacks.15"}
!432 = distinct !{!432, !433, !"terms.new_node: %retptr"}
!433 = distinct !{!433, !"terms.new_node"}
!434 = !{!432, !399}
!435 = !{!436, !438}
!436 = distinct !{!436, !437, !"views.lacks.14: %retptr"}
!437 = distinct !{!437, !"views.lacks.14"}
!438 = distinct !{!438, !439, !"terms.escapes_edges: %retptr"}
!439 = distinct !{!439, !"terms.escapes_edges"}
!440 = !{!441, !438}
!441 = distinct !{!441, !442, !"views.lacks.15: %retptr"}
!442 = distinct !{!442, !"views.lacks.15"}
!443 = !{!438}
!444 = !{!445, !447, !438}
!445 = distinct !{!445, !446, !"views.lacks.15: %retptr"}
!446 = distinct !{!446, !"views.lacks.15"}
!447 = distinct !{!447, !448, !"terms.new_node: %retptr"}
!448 = distinct !{!448, !"terms.new_node"}
!449 = !{!447, !438}
!450 = !{!451}
!451 = distinct !{!451, !452, !"terms.end_of_run: %retptr"}
!452 = distinct !{!452, !"terms.end_of_run"}
!453 = !{!454}
!454 = distinct !{!454, !455, !"views.lacks.11: %retptr"}
!455 = distinct !{!455, !"views.lacks.11"}
!456 = !{!457}
!457 = distinct !{!457, !458, !"views.lacks.12: %retptr"}
!458 = distinct !{!458, !"views.lacks.12"}
!459 = !{!460, !462}
!460 = distinct !{!460, !461, !"views.lacks.15: %retptr"}
!461 = distinct !{!461, !"views.lacks.15"}
!462 = distinct !{!462, !463, !"terms.new_node: %retptr"}
!463 = distinct !{!463, !"terms.new_node"}
!464 = !{!462}
!465 = !{!466}
!466 = distinct !{!466, !467, !"terms.end_of_run: %retptr"}
!467 = distinct !{!467, !"terms.end_of_run"}
!468 = !{!469}
!469 = distinct !{!469, !470, !"leaves.is_leaf: %retptr"}
!470 = distinct !{!470, !"leaves.is_leaf"}
!471 = !{!472}
!472 = distinct !{!472, !473, !"leaves.visit: %retptr"}
!473 = distinct !{!473, !"leaves.visit"}
!474 = !{!475, !472}
!475 = distinct !{!475, !476, !"views.lacks.10: %retptr"}
!476 = distinct !{!476, !"views.lacks.10"}
!477 = !{!478}
!478 = distinct !{!478, !479, !"leaves.is_split: %retptr"}
!479 = distinct !{!479, !"leaves.is_split"}
!480 = !{!481}
!481 = distinct !{!481, !482, !"leaves.charset_of: %retptr"}
!482 = distinct !{!482, !"leaves.charset_of"}
!483 = !{!484}
!484 = distinct !{!484, !485, !"terms.after_one_round: %retptr"}
!485 = distinct !{!485, !"terms.after_one_round"}
!486 = !{!487, !489, !484}
!487 = distinct !{!487, !488, !"views.lacks.15: %retptr"}
!488 = distinct !{!488, !"views.lacks.15"}
!489 = distinct !{!489, !490, !"terms.new_node: %retptr"}
!490 = distinct !{!490, !"terms.new_node"}
!491 = !{!489, !484}
!492 = !{!493}
!493 = distinct !{!493, !494, !"leaves.charset_of: %retptr"}
!494 = distinct !{!494, !"leaves.charset_of"}
!495 = !{!496}
!496 = distinct !{!496, !497, !"classes.widest_leaf: %retptr"}
!497 = distinct !{!497, !"classes.widest_leaf"}
!498 = !{!499, !496}
!499 = distinct !{!499, !500, !"leaves.is_split: %retptr"}
!500 = distinct !{!500, !"leaves.is_split"}
!501 = !{!502}
!502 = distinct !{!502, !503, !"views.lacks.5: %retptr"}
!503 = distinct !{!503, !"views.lacks.5"}
!504 = !{!505}
!505 = distinct !{!505, !506, !"leaves.is_split: %retptr"}
!506 = distinct !{!506, !"leaves.is_split"}
!507 = !{!508}
!508 = distinct !{!508, !509, !"classes.has_leaf: %retptr"}
!509 = distinct !{!509, !"classes.has_leaf"}
!510 = !{!511}
!511 = distinct !{!511, !512}
!512 = distinct !{!512, !"LVerDomain"}
!513 = !{!514}
!514 = distinct !{!514, !512}
!515 = distinct !{!515, !32}
!516 = distinct !{!516, !388}
!517 = !{!518}
!518 = distinct !{!518, !519, !"states.known_step: %retptr"}
!519 = distinct !{!519, !"states.known_step"}
!520 = !{!521}
!521 = distinct !{!521, !522, !"bits.keep: %retptr"}
!522 = distinct !{!522, !"bits.keep"}
!523 = distinct !{!523, !138}
!524 = distinct !{!524, !32, !33}
!525 = !{!"branch_weights", i32 4, i32 12}
!526 = distinct !{!526, !32, !33}
!527 = distinct !{!527, !32, !33}
!528 = distinct !{!528, !32, !33}
!529 = distinct !{!529, !138}
!530 = distinct !{!530, !32}
!531 = distinct !{!531, !33, !32}
!532 = !{!533}
!533 = distinct !{!533, !534, !"bits.keep.2: %retptr"}
!534 = distinct !{!534, !"bits.keep.2"}
!535 = distinct !{!535, !138}
!536 = distinct !{!536, !32, !33}
!537 = distinct !{!537, !32, !33}
!538 = distinct !{!538, !138}
!539 = distinct !{!539, !32}
!540 = distinct !{!540, !33, !32}
!541 = !{!542, !544}
!542 = distinct !{!542, !543, !"entry.advance: %retptr"}
!543 = distinct !{!543, !"entry.advance"}
!544 = distinct !{!544, !543, !"entry.advance: %excinfo"}
!545 = !{!546, !548}
!546 = distinct !{!546, !547, !"entry.advance: %retptr"}
!547 = distinct !{!547, !"entry.advance"}
!548 = distinct !{!548, !547, !"entry.advance: %excinfo"}
!549 = !{!550}
!550 = distinct !{!550, !551, !"bits.set_bits: %retptr"}
!551 = distinct !{!551, !"bits.set_bits"}
